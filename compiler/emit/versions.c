// versions.c: prints the versions call, resume and atomic of an async function, all from its
// lowered body. one-body.c prints functions whose versions call and resume share one text.
// print-async.c and print-pause.c print the statements and expressions that differ between the
// versions.
#include "emit/versions.h"

#include <stdlib.h>

bool is_main(const Async *a) {
  return strcmp(a->decl->name->name, "main") == 0;
}

// ---- the parts of a version ----
void print_temps(Printer *p, Async *a) {
  p->at_head = true;
  FOR_EACH (Local, k, a->locals) {
    if (!k->temp)
      continue;
    print_type(p, k->sym->type, k->name, 0);
    print_say(p,
              " __attribute__((unused))%s%s; ",
              k->zeroed ? " = " : "",
              k->zeroed ? type_zero(k->sym->type) : "");
  }
  p->at_head = false;
}

void use_nameless(Printer *p, Async *a) {
  int n = 0;
  if (for_readers(p))
    return;
  for (Param *q = a->type->params; q; q = q->next, n++) {
    if (!q->name)
      print_say(p, "(void)fm__p%d; ", n);
    else if (q->sym && q->sym->local->mentioned && !moves_to_frame(p, q))
      print_say(p, "(void)%s; ", q->name->name);
  }
}

// Returns the version that draws the C compiler's warnings, for units without a witness. It has to
// declare variables as the user does. It is the atomic version for debuggers, because then the call
// version keeps variables that are not used any more, such as a pointer that was freed; and for
// noreturn functions, because there the C compiler sees whether the function returns.
static Version with_warnings(const Async *a) {
  bool atomic_body = !a->inner.len && !a->contained;
  bool wanted = for_debugging(a->u) || never_comes_back(a->decl);
  bool no_call = a->one_body || a->one_version || only_atomic(a) ||
                 (atomic_body && wanted);
  return no_call ? V_ATOMIC : V_CALL;
}

void begin_version(Printer *p, Async *a, Version v) {
  p->version = (uint8_t)v;
  p->quiet = a->u->opt.witness || v != with_warnings(a);
  p->async = a;
  p->frameless = v == V_CALL && a->frame_late;
  p->pragma = SIZE_MAX;
  print_sync(p, a->decl->tok);
}

static void print_new_frame(Printer *p, Async *a) {
  print_say(p,
            "(%s__fm_frame *)%s__fm_%s(fm__c",
            a->name,
            a->name,
            generated_name(full_start(a)));
  print_args(p, a->type);
}

void print_made_frame(Printer *p, Async *a) {
  print_say(p, "%s__fm_frame *fm__f = ", a->name);
  print_new_frame(p, a);
}

// WebAssembly: bytes of the C stack that stand for the function's frame on the engine's stack.
// Without -O clang gives each value of an expression a place there, so the tokens count.
static size_t pad_size(const Async *a) {
  enum { LEAST = 64, EACH = 8 };
  size_t values = a->locals.len + a->temps.len;
  for (const Param *q = a->type->params; q; q = q->next)
    values++;
  if (!a->u->opt.optimise)
    values += a->text.to - a->text.from;
  return LEAST + EACH * values;
}

static void print_low(Printer *p, const Async *a) {
  if (a->u->opt.wasm32)
    print_say(p,
              "({ char fm__pad[%zu]; fm__low_by(fm__c, fm__pad); })",
              pad_size(a));
  else
    print_say(p, "fm__low(fm__c)");
}

// If the function's first statement would be an automatic yield, the function pauses here at the
// end of a slice. Otherwise it pauses here only if the stack is low.
void print_entry_check(Printer *p, Async *a) {
  if (a->entry_yield)
    note_pause(p, a->entry_yield, WHY_AUTO);
  print_say(p, "if (");
  print_low(p, a);
  print_say(p, a->entry_yield ? ") { " : " && fm__entry(fm__c)) { ");
  print_end_note(p,
                 a->entry_yield ? "the slice is over, or the stack is low"
                                : "the stack is low");
}

void print_call_in_frame(Printer *p, Async *a) {
  print_header(p, a, GEN_CALL);
  print_say(p, " {\n  ");
  print_made_frame(p, a);
  print_say(p, ");\n  ");
  print_entry_check(p, a);
  print_say(p, "fm__stop(fm__c, &fm__f->fm__h, 0); ");
  print_dummy(p, a);
}

bool enters_late(const Async *a) {
  return a->entry && !a->one_body && (!a->frame_on_entry || a->frame_late);
}

void print_late_frame(Printer *p, Async *a) {
  if (!a->frame_late)
    return;
  print_say(p, "fm__f = ");
  print_new_frame(p, a);
  print_say(p, "); ");
  p->frameless = false;
}

// Another variable has the same name in the resume version.
static bool has_namesake(const Async *a, const Local *k) {
  for (size_t i = 0; k && i < a->locals.len; i++) {
    const Local *o = a->locals.at[i];
    if (o != k && strcmp(o->name, k->name) == 0)
      return true;
  }
  return false;
}

// The body declares a variable that has the name of a hoisted one, so it cannot share its block.
static bool needs_own_block(Async *a) {
  for (Node *s = a->body->a; s; s = s->next)
    for (Decl *d = s->kind == N_DECL ? s->decl : NULL; d; d = d->next)
      if (d->sym && has_namesake(a, d->sym->local))
        return true;
  return false;
}

// For readers, the statements of the body stand in the function's own block.
void print_user_body(Printer *p, Async *a) {
  bool plain = !for_readers(p) || a->body->kind != N_COMPOUND;
  if (plain || needs_own_block(a)) {
    print_statement(p, a->body);
    return;
  }
  for (Node *s = a->body->a; s; s = s->next) {
    print_text(p, " ");
    print_statement(p, s);
  }
}

static bool ends_block_by_return(const Node *block) {
  const Node *last = NULL;
  for (const Node *s = block->a; s; s = s->next)
    if (s->kind != N_EMPTY)
      last = s;
  if (last && last->kind == N_COMPOUND)
    return ends_block_by_return(last);
  return last && (last->kind == N_RETURN || last->kind == N_TAIL);
}

// For readers, nothing is printed after a return.
static bool ends_by_return(Printer *p, Async *a) {
  return for_readers(p) && a->body->kind == N_COMPOUND &&
         ends_block_by_return(a->body);
}

void open_window(Printer *p, Async *a) {
  if (a->body->end > a->body->tok)
    print_window(p, a->body->tok, a->body->end + 1);
}

// ---- call ----
// Returns the note about the call version.
static const char *how_it_is_called(const Async *a) {
  if (a->nstates == 1)
    return "it never pauses";
  if (a->frame_late)
    return "its frame is made before anything can pause";
  return a->frame_on_entry ? "its frame is made now"
                           : "ordinary C until something pauses";
}

// Prints the head of the call version: the frame, if it is made on entry, and the check on entry.
static void print_call_entry(Printer *p, Async *a) {
  if (a->frame_late) {
    print_say(p, "%s__fm_frame *fm__f; ", a->name);
  } else if (a->frame_on_entry) {
    print_made_frame(p, a);
    print_say(p, "); ");
    print_pointers(p, a);
  }
  if (a->nstates > 1 && !begins_in_call(a) && !enters_late(a)) {
    print_entry_check(p, a);
    print_return_spill(p, 0, "");
    print_say(p, " } ");
  } else if (!for_readers(p)) {
    print_say(p, "(void)fm__c; ");
  }
}

// Prints the end of the call version, where the body ends without a return.
static void print_call_end(Printer *p, Async *a) {
  static const char frees[] = "fm__frame_free(fm__c, &fm__f->fm__h);";
  if (a->frame_on_entry && returns_void(a)) {
    print_text(p, " ");
    print_vla_frees(p);
    print_say(p, "%s", frees);
  }
  if (is_main(a) && a->frame_on_entry)
    print_say(p, " %s", frees);
  if (is_main(a))
    print_say(p, " return 0;");
}

void print_call_version(Printer *p, Async *a) {
  open_window(p, a);
  print_note(p, "%s, called: %s.", a->decl->name->name, how_it_is_called(a));
  begin_version(p, a, V_CALL);
  print_header(p, a, GEN_CALL);
  print_text(p, " { ");
  print_temps(p, a);
  use_nameless(p, a);
  print_call_entry(p, a);
  print_user_body(p, a);
  if (!ends_by_return(p, a))
    print_call_end(p, a);
  print_text(p, " }\n");
  p->line++;
}

// ---- functions that cannot pause ----
// A call of a quiet function is a call of its atomic version. The other versions are for pointers,
// other units and spawns: they call it, too, instead of having its text once more. The C compiler
// knows where a copy is smaller than the call.
bool only_atomic(const Async *a) {
  bool may = a->quiet.quiet && a->nstates == 1 && !a->frame_on_entry &&
             a->u->opt.optimise && !a->u->opt.readable &&
             !has_code_attributes(a);
  for (const Param *q = a->type->params; q; q = q->next)
    may &= !q->copied && !type_is_vm(q->type);
  return may;
}

static void print_kept_args(Printer *p, Async *a) {
  for (Param *q = a->type->params; q; q = q->next) {
    const Local *k = q->sym ? q->sym->local : NULL;
    print_text(p, q == a->type->params ? "" : ", ");
    if (k && k->slot >= 0) {
      print_say(p, "fm__f->%s", slot_name(a, k->slot));
    } else if (type_is_scalar(canon(q->type))) {
      print_text(p, "0");
    } else {
      print_text(p, "(");
      print_type(p, type_unqual(a->u, q->type), "", 0);
      print_say(p, ")%s", type_zero(q->type));
    }
  }
}

void print_calls_of_atomic(Printer *p, Async *a) {
  print_generated(p);
  p->version = V_PLAIN;
  print_say(p, "__attribute__((cold)) ");
  print_header(p, a, GEN_CALL);
  print_say(p,
            " {\n  (void)fm__c;\n  %s%s__fm_atomic(",
            returns_void(a) ? "" : "return ",
            a->name);
  print_plain_args(p, a->type);
  print_say(p, ");\n}\n");
  if (!a->decl->sym->started)
    print_say(p, "__attribute__((cold)) ");
  print_say(p,
            "static void %s__fm_resume(fm_domain *fm__c, fm_frame *fm__h) {\n  "
            "%s__fm_frame *fm__f = (%s__fm_frame *)fm__h;\n  (void)fm__c;\n  "
            "(void)fm__f;\n  ",
            a->name,
            a->name,
            a->name);
  if (!returns_void(a)) {
    print_type(p, returned(a), "fm__v", 0);
    print_say(p, " = ");
  }
  print_say(p, "%s__fm_atomic(", a->name);
  print_kept_args(p, a);
  print_say(p, ");\n");
  if (!returns_void(a))
    print_say(p,
              "  __builtin_memcpy((void *)&fm__f->fm__ret, &fm__v, sizeof "
              "fm__v);\n");
  print_say(p, "}\n");
  print_lost(p);
}

// ---- fields and variables ----
static void print_field_copy(Printer *p, const Local *k, bool load) {
  char *field = xasprintf("fm__f->%s", slot_name(p->async, k->slot));
  print_copy(p, k->sym->type, load ? k->name : field, load ? field : k->name);
  free(field);
}

void print_load(Printer *p, const Local *k) {
  print_field_copy(p, k, true);
}

void print_store(Printer *p, const Local *k) {
  print_field_copy(p, k, false);
}

void print_loads(Printer *p, Async *a, int state) {
  FOR_EACH (Local, k, a->locals) {
    if (kept_at(a, state, k))
      print_load(p, k);
  }
}

// The variable shares its field with no other.
static bool is_own_field(const Async *a, const Local *k) {
  FOR_EACH (const Local, o, a->locals) {
    if (o != k && o->slot == k->slot)
      return false;
  }
  return true;
}

static bool is_param(const Async *a, const Local *k) {
  for (Param *q = a->type->params; q; q = q->next)
    if (q->sym == k->sym)
      return true;
  return false;
}

// The variable is a parameter that never changes and has its field for itself. The function that
// made the frame has stored it.
static bool is_stored_for_good(Async *a, Local *k) {
  return is_param(a, k) && !k->changed && type_is_scalar(canon(k->sym->type)) &&
         is_own_field(a, k);
}

void print_stores(Printer *p, Async *a, int state) {
  bool first = true;
  FOR_EACH (Local, k, a->locals) {
    if (!kept_at(a, state, k) || is_stored_for_good(a, k))
      continue;
    if (!first && !for_readers(p))
      print_say(p, "fm__apart(); ");
    print_store(p, k);
    first = false;
  }
}

bool is_hoisted(const Local *k) {
  return !k->resident && !k->literal && !k->placed;
}

// Prints `asm ("rax")` after the name, as the declaration has it.
static void print_register(Printer *p, const Local *k) {
  if (!k->decl)
    return;
  TokIndex t = k->decl->post.from;
  TokIndex end = k->decl->post.to;
  while (t < end && kind_at(p->u, t) != K_ASM)
    t++;
  if (t == end)
    return;
  end = skip_balanced(p->u, t + 1);
  for (; t < end; t++) {
    size_t n;
    const char *text = tok_text(p->u, t, &n);
    print_say(p, " %.*s", (int)n, text);
  }
}

// A hoisted variable is not const, because it is loaded. It keeps its register and its alignment. A
// _Bool always has a value: it may be stored where it is not needed, and UBSan looks at each read.
static void declare_hoisted_one(Printer *p, Async *a, Local *k) {
  unsigned quals = canon(k->sym->type)->quals & (Q_VOLATILE | Q_ATOMIC);
  Type *t = type_unqual(a->u, k->sym->type);
  if (k->align)
    print_say(p, "__attribute__((aligned(%u))) ", k->align);
  if (k->decl && k->decl->specs->storage == ST_REGISTER)
    print_say(p, "register ");
  print_type(p, quals ? type_qualify(a->u, t, quals) : t, k->name, 0);
  print_register(p, k);
  bool zeroed = k->zeroed || !a->u->opt.optimise || canon(t)->kind == TY_BOOL;
  if (!quals && zeroed)
    print_say(p, " = %s", type_zero(t));
  print_say(p, "; ");
}

void declare_hoisted(Printer *p, Async *a) {
  if (a->nstates > 1)
    print_note(p, "The variables of all its blocks.");
  bool has_params = a->one_body && !a->frame_on_entry;
  FOR_EACH (Local, k, a->locals) {
    bool declared = k->again || (has_params && is_param(a, k));
    if (is_hoisted(k) && !declared)
      declare_hoisted_one(p, a, k);
  }
}

void use_hoisted(Printer *p, Async *a) {
  if (for_readers(p))
    return;
  FOR_EACH (Local, k, a->locals) {
    if (is_hoisted(k))
      print_say(p, "(void)%s; ", k->name);
  }
}

// ---- pauses that keep the same variables ----
bool is_first_of_kept(const Async *a, int state) {
  if (state && !a->states[state].used)
    return false;
  for (int i = 0; i < state; i++)
    if ((!i || a->states[i].used) && keep_the_same(a, i, state))
      return false;
  return true;
}

void print_kept_cases(Printer *p, Async *a, int first) {
  for (int i = first; i < a->nstates; i++)
    if ((!i || a->states[i].used) && keep_the_same(a, first, i))
      print_say(p, "case %d: ", i);
}

bool keeps_anything(const Async *a, int state) {
  for (size_t i = 0; i < a->locals.len; i++)
    if (kept_at(a, state, a->locals.at[i]))
      return true;
  return false;
}

// The state is a pause that the function can come to.
static bool has_used(const Async *a, int state) {
  return state && a->states[state].used;
}

// Prints the jumps to the pauses that keep the same as `first`, after their common loads.
static void print_jump_of(Printer *p, Async *a, int first) {
  print_say(p,
            a->one_body ? "switch (fm__f->fm__h.state) { "
                        : "switch (fm__h->state) { ");
  for (int i = first; i < a->nstates; i++)
    if (has_used(a, i) && !a->states[i].near && keep_the_same(a, first, i))
      print_say(p, "case %d: goto fm__L%d; ", i, i);
  print_say(p, "default: __builtin_unreachable(); } ");
}

// Returns how many pauses have their loads in common with this one, and sets *first to the first of
// them. Pauses that are near (State.near) have their own loads; so have others, if sharing them
// saves nothing.
static int alike(const Async *a, int state, int *first) {
  enum { LOAD = 4, JUMP = 20, ENTRY = 4 }; // bytes of machine code, about
  int n = 0, loads = 0, from = state;
  if (!(a->one_body || a->one_version) || a->states[state].near)
    return 1;
  for (int i = a->nstates - 1; i; i--)
    if (has_used(a, i) && !a->states[i].near && keep_the_same(a, i, state)) {
      from = i;
      n++;
    }
  for (size_t i = 0; i < a->locals.len; i++)
    loads += kept_at(a, state, a->locals.at[i]);
  if ((n - 1) * loads * LOAD <= JUMP + n * ENTRY)
    return 1;
  *first = from;
  return n;
}

void print_jumps(Printer *p, Async *a) {
  print_say(p,
            a->one_body ? "switch (fm__f->fm__h.state) { case 0: "
                        : "switch (fm__h->state) { case 0: ");
  print_loads(p, a, 0);
  print_say(p, "break; ");
  for (int i = 1; i < a->nstates; i++) {
    int first = i, n = has_used(a, i) ? alike(a, i, &first) : 0;
    if (!n || first != i)
      continue;
    for (int j = i; j < a->nstates; j++)
      if (j == i || (n > 1 && has_used(a, j) && !a->states[j].near &&
                     keep_the_same(a, i, j)))
        print_say(p, "case %d: ", j);
    print_loads(p, a, i);
    if (n > 1)
      print_jump_of(p, a, i);
    else
      print_say(p, "goto fm__L%d; ", i);
  }
  print_say(p, "default: __builtin_unreachable(); } ");
}

// Both states land at the same label and keep the same variables.
static bool land_alike(const Async *a, int state, int other) {
  return a->states[other].used &&
         a->states[other].landing == a->states[state].landing &&
         keep_the_same(a, state, other);
}

static bool is_first_of_landing(const Async *a, int state) {
  if (!a->states[state].used || !a->states[state].landing)
    return false;
  for (int i = 1; i < state; i++)
    if (land_alike(a, state, i))
      return false;
  return true;
}

// ---- resume ----
static void print_if_unwinds(Printer *p) {
  print_say(p,
            for_readers(p) ? "if (fm__unlikely(fm__unwinds(fm__c))) "
                           : "if (__builtin_expect(fm__unwinds(fm__c), 0)) ");
}

void print_landings(Printer *p, Async *a) {
  if (!a->lands)
    return;
  print_note(p,
             "What it waited for unwinds, by an error or a cancel: goes on at "
             "the handler.");
  print_if_unwinds(p);
  print_say(p, "switch (fm__f->fm__h.state) { ");
  for (int i = 1; i < a->nstates; i++) {
    if (!is_first_of_landing(a, i))
      continue;
    for (int j = i; j < a->nstates; j++)
      if (land_alike(a, i, j))
        print_say(p, "case %d: ", j);
    print_loads(p, a, i);
    print_say(p, "goto %s; ", a->states[i].landing->name);
  }
  print_say(p,
            "default: fm__passes(&%s__fm_code, fm__f->fm__h.state); ",
            a->name);
  print_vla_frees(p);
  if (a->one_body)
    print_dummy(p, a);
  else
    print_say(p, "return;");
  print_say(p, " } ");
}

// A function of its own, f__fm_landed, runs the handlers, if only inline operations throw. In the
// resume version the handlers are dead code, but their calls would make it save registers.
static bool lands_apart(Async *a) {
  return a->inlines && !a->landings && !a->one_body;
}

// Prints the end of the resume version, where the body ends without a return.
static void print_falls_off(Printer *p, Async *a) {
  if (!returns_void(a) && is_main(a))
    print_say(p, " fm__f->fm__ret = 0;");
  print_text(p, " ");
  print_vla_frees(p);
  print_say(p, "return;");
}

// Prints the heading of the resume version, and its variables.
static void print_resume_heading(Printer *p, Async *a, const char *name) {
  if (a->seldom && !for_readers(p))
    print_say(p,
              "__attribute__((cold%s)) ",
              a->u->opt.clang ? ", minsize" : "");
  print_say(p,
            "static void %s__fm_%s(fm_domain *fm__c, fm_frame *fm__h) { "
            "%s__fm_frame *fm__f = "
            "(%s__fm_frame *)fm__h; %s",
            a->name,
            name,
            a->name,
            a->name,
            for_readers(p) ? "" : "(void)fm__f; ");
  declare_hoisted(p, a);
  print_pointers(p, a);
  if (a->nstates > 1 || !for_readers(p)) {
    print_say(p, "uint32_t fm__st = 0; ");
    print_end_note(p, "the pause at which it leaves");
  }
}

// Prints the end of the resume version, where it leaves at the pause fm__st: it stores the
// variables that the state keeps. fm__leave() does what is rare; all of it, if the function is
// compiled for size (Async.seldom).
static void print_resume_save(Printer *p, Async *a) {
  bool frees = has_vla(a);
  print_note(p, "Leaves: what is still needed is stored in the frame.");
  print_say(
      p, " fm__save: __attribute__((unused)); switch (fm__st & FM_STATE) { ");
  for (int i = 0; i < a->nstates; i++) {
    if (!is_first_of_kept(a, i) || !keeps_anything(a, i))
      continue;
    print_kept_cases(p, a, i);
    print_stores(p, a, i);
    print_say(p, "break; ");
  }
  print_say(p, "} ");
  if (!a->seldom)
    print_say(p,
              "if (fm__only_pauses(fm__c)) { fm__paused_here(fm__c, fm__h, "
              "(uint16_t)fm__st); } else ");
  print_say(p,
            "%sfm__leave(fm__c, fm__h, &%s__fm_code, fm__st)%s",
            frees ? "if (!" : "(void)",
            a->name,
            frees ? ") { " : "; ");
  print_vla_frees(p);
  print_say(p, frees ? "} }\n" : "}\n");
}

// Prints f__fm_resume, or f__fm_landed (landed).
static void print_resumed_version(Printer *p, Async *a, bool landed) {
  open_window(p, a);
  print_note(p,
             landed ? "%s, resumed in a frame because what it waited for "
                      "unwinds."
                    : "%s, resumed in a frame: goes on at the pause that its "
                      "state names (0: at the beginning).",
             a->decl->name->name);
  begin_version(p, a, V_RESUME);
  print_resume_heading(p, a, landed ? "landed" : "resume");
  if (landed || !lands_apart(a)) {
    print_landings(p, a);
  } else {
    print_if_unwinds(p);
    print_say(p, "{ %s__fm_landed(fm__c, fm__h); return; } ", a->name);
  }
  print_jumps(p, a);
  use_hoisted(p, a);
  print_user_body(p, a);
  if (!ends_by_return(p, a))
    print_falls_off(p, a);
  if (a->nstates > 1)
    print_resume_save(p, a);
  else
    print_say(p, for_readers(p) ? "}" : " (void)fm__st; }\n");
}

void print_resume_version(Printer *p, Async *a) {
  if (lands_apart(a)) {
    print_code_attributes(p, a, true);
    print_say(p,
              for_readers(p) ? "static FM_COLD void %s__fm_landed(fm_domain *, "
                               "fm_frame *);"
                             : "static __attribute__((cold, noinline)) void "
                               "%s__fm_landed(fm_domain *, fm_frame *); ",
              a->name);
    print_resumed_version(p, a, true);
  }
  print_resumed_version(p, a, false);
}

// ---- atomic ----
void print_atomic_version(Printer *p, Async *a) {
  print_note(p,
             "%s, called by `atomic`: ordinary C, during which no other "
             "activity runs.",
             a->decl->name->name);
  begin_version(p, a, V_ATOMIC);
  print_header(p, a, GEN_ATOMIC);
  print_text(p, " { ");
  print_temps(p, a);
  use_nameless(p, a);
  print_user_body(p, a);
  if (is_main(a) && !ends_by_return(p, a))
    print_say(p, " return 0;");
  print_text(p, " }\n");
  p->line++;
}

// A function whose activities share its frame has no version without a frame. Its atomic version
// runs the resume version in an activity that the atomic contains.
void print_contained_atomic(Printer *p, Async *a) {
  print_note(p,
             "%s, called by `atomic`: it runs as an activity, and only those "
             "that it starts run beside it.",
             a->decl->name->name);
  begin_version(p, a, V_ATOMIC);
  print_header(p, a, GEN_ATOMIC);
  print_say(p,
            " { fm_domain *fm__c = fm__here(); fm__shield_enter(fm__c); "
            "void *fm__r = fm__atomic_call(fm__c, %s__fm_start(fm__c",
            a->name);
  print_args(p, a->type);
  print_say(p, ")); fm__shield_leave(fm__c); if (fm__throws()) { ");
  print_dummy(p, a);
  print_say(p, " } ");
  if (returns_void(a)) {
    print_say(p, "(void)fm__r; fm__done(fm__c); }\n");
    return;
  }
  print_type(p, returned(a), "fm__v", 0);
  print_text(p, " = *(");
  print_type(p, type_pointer(a->u, returned(a)), "", 0);
  print_say(p, ")fm__r; fm__done(fm__c); return fm__v; }\n");
}

void print_main(Printer *p, Async *a) {
  if (!is_main(a))
    return;
  int n = 0;
  for (Param *q = a->type->params; q; q = q->next)
    n++;
  print_note(p, "C's main: runs the async one as the first activity.");
  print_say(p,
            "int main(int argc, char **argv, char **envp) { return "
            "fm__main(fm__user_main, argc, "
            "argv, envp, %d); }\n",
            n);
}
