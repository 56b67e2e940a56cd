// versions.c: the versions of an async function as text: call and resume, or one body for both, and
// atomic. What they print differently inside the body is in print-async.c and print-pause.c.
#include "emit/layout.h"

#include <stdlib.h>

void print_temps(Printer *p, Async *a) {
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *k = a->locals.at[i];
    if (!k->temp)
      continue;
    print_type(p, k->sym->type, k->name, 0);
    print_say(p,
              " __attribute__((unused))%s%s; ",
              k->zeroed ? " = " : "",
              k->zeroed ? type_zero(k->sym->type) : "");
  }
}

// Parameters of which the C compiler would say that they are not used: nameless ones, and those
// that only what is at file scope now asks for.
static void use_nameless(Printer *p, Async *a) {
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

// The version that draws the compiler's warnings: it has the user's declarations as they are. For
// debuggers the call version keeps what is not used any more, a pointer that was freed, say. That a
// function returns though it should not is seen in the atomic one alone.
static Version with_warnings(const Async *a) {
  bool atomic_body = !a->inner.len && !a->thunk;
  return a->one_body || (atomic_body &&
                         (for_debugging(a->u) || never_comes_back(a->decl)))
             ? V_ATOMIC
             : V_CALL;
}

static void begin(Printer *p, Async *a, Version v) {
  p->version = (uint8_t)v;
  p->quiet = a->u->opt.witness || v != with_warnings(a);
  p->async = a;
  p->pragma = SIZE_MAX;
  print_sync(p, a->decl->tok);
}

// The stack is low, or the slice is over. An automatic yield that would come first of all is made
// here; otherwise the end of the slice waits for the next one.
void print_entry_check(Printer *p, Async *a) {
  if (for_readers(p)) {
    if (a->entry_yield)
      note_pause(p, a->entry_yield, WHY_AUTO);
    print_say(p,
              a->entry_yield ? "if (fm__low(fm__c, 0)) {"
                             : "if (fm__low(fm__c, 0) && fm__entry(fm__c)) {");
    print_end_note(p,
                   a->entry_yield ? "the slice is over, or the stack is low"
                                  : "the stack is low");
    return;
  }
  print_say(p,
            "if (__builtin_expect((uintptr_t)__builtin_frame_address(0) < "
            "fm__guard_now(fm__c), 0)%s) { ",
            a->entry_yield ? "" : " && fm__entry(fm__c)");
}

// Whether what the body declares would meet a hoisted variable of its name in the same block.
static bool needs_own_block(Async *a) {
  for (Node *s = a->body->a; s; s = s->next)
    for (Decl *d = s->kind == N_DECL ? s->decl : NULL; d; d = d->next) {
      Local *k = d->sym ? d->sym->local : NULL;
      for (size_t i = 0; k && i < a->locals.len; i++) {
        const Local *o = a->locals.at[i];
        if (o != k && strcmp(o->name, k->name) == 0)
          return true;
      }
    }
  return false;
}

// The user's body. For readers its statements stand in the function's own block.
static void print_user_body(Printer *p, Async *a) {
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

// For readers, nothing is said after a return.
static bool ends_by_return(Printer *p, Async *a) {
  return for_readers(p) && a->body->kind == N_COMPOUND &&
         ends_block_by_return(a->body);
}

// The comments of the function's body belong to the version that is printed first.
static void open_window(Printer *p, Async *a) {
  if (a->body->end > a->body->tok)
    print_window(p, a->body->tok, a->body->end + 1);
}

void print_call_version(Printer *p, Async *a) {
  open_window(p, a);
  print_note(p,
             "%s, called: %s.",
             a->decl->name->name,
             a->nstates == 1     ? "it never pauses"
             : a->frame_on_entry ? "its frame is made now"
                                 : "ordinary C until something pauses");
  begin(p, a, V_CALL);
  print_header(p, a, "call", true, returned(a));
  print_text(p, " { ");
  print_temps(p, a);
  use_nameless(p, a);
  if (a->frame_on_entry) {
    print_say(p,
              "%s__fm_frame *fm__f = (%s__fm_frame *)%s__fm_%s(fm__c",
              a->name,
              a->name,
              a->name,
              full_start(a));
    print_args(p, a->type);
    print_say(p, "); ");
    print_pointers(p, a);
  }
  if (a->nstates > 1 && !begins_in_call(a)) {
    print_entry_check(p, a);
    print_return_spill(p, 0, false);
    print_say(p, " } ");
  } else if (!for_readers(p)) {
    print_say(p, "(void)fm__c; ");
  }
  print_user_body(p, a);
  if (a->frame_on_entry && returns_void(a) && !ends_by_return(p, a)) {
    print_text(p, " ");
    print_vla_frees(p);
    print_say(p, "fm__frame_free(fm__c, &fm__f->fm__h);");
  }
  if (strcmp(a->decl->name->name, "main") == 0 && !ends_by_return(p, a))
    print_say(p,
              "%s return 0;",
              a->frame_on_entry ? " fm__frame_free(fm__c, &fm__f->fm__h);"
                                : "");
  print_text(p, " }\n");
  p->line++;
}

static void print_field_copy(Printer *p, const Local *k, bool load) {
  char *field = xasprintf("fm__f->%s", slot_name(p->async, k->slot));
  print_copy(p, k->sym->type, load ? k->name : field, load ? field : k->name);
  free(field);
}

static void print_load(Printer *p, const Local *k) {
  print_field_copy(p, k, true);
}
static void print_store(Printer *p, const Local *k) {
  print_field_copy(p, k, false);
}

static void print_loads(Printer *p, Async *a, int state) {
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *k = a->locals.at[i];
    if (k->slot >= 0 && !k->resident && live_at(&a->states[state], k))
      print_load(p, k);
  }
}

// A parameter that never changes, and has its field for itself: whoever made the frame stored it,
// if it is still needed anywhere.
static bool is_stored_for_good(Async *a, Local *k) {
  bool param = false;
  for (Param *q = a->type->params; q; q = q->next)
    param |= q->sym == k->sym;
  if (!param || k->changed || !type_is_scalar(canon(k->sym->type)))
    return false;
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *o = a->locals.at[i];
    if (o != k && o->slot == k->slot)
      return false;
  }
  return true;
}

void print_stores(Printer *p, Async *a, int state) {
  bool first = true;
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *k = a->locals.at[i];
    if (k->slot < 0 || k->resident || !live_at(&a->states[state], k) ||
        is_stored_for_good(a, k))
      continue;
    if (!first && !for_readers(p))
      print_say(p, "fm__apart(); ");
    print_store(p, k);
    first = false;
  }
}

static bool is_param(Async *a, Local *k) {
  for (Param *q = a->type->params; q && !a->frame_on_entry; q = q->next)
    if (q->sym == k->sym)
      return true;
  return false;
}

static bool is_hoisted(const Local *k) {
  return !k->resident && !k->literal && !k->placed;
}

// `asm ("rax")` behind the name
static void print_register(Printer *p, const Local *k) {
  TokIndex t = k->decl ? k->decl->post.from : 0,
           end = k->decl ? k->decl->post.to : 0;
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

// What is hoisted is loaded, and so is not const. A register that was asked for (`asm ("rax")`) is,
// and an alignment.
static void declare_hoisted_one(Printer *p, Async *a, Local *k) {
  unsigned quals = canon(k->sym->type)->quals & (Q_VOLATILE | Q_ATOMIC);
  Type *t = type_unqual(a->u, k->sym->type);
  if (k->align)
    print_say(p, "__attribute__((aligned(%u))) ", k->align);
  if (k->decl && k->decl->specs->storage == ST_REGISTER)
    print_say(p, "register ");
  print_type(p, quals ? type_qualify(a->u, t, quals) : t, k->name, 0);
  print_register(p, k);
  if (!quals)
    print_say(p, " = %s", type_zero(t));
  print_say(p, "; ");
}

static void declare_hoisted(Printer *p, Async *a) {
  if (a->nstates > 1)
    print_note(p, "The variables of all its blocks.");
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *k = a->locals.at[i];
    if (is_hoisted(k) && !(a->one_body && is_param(a, k)) && !k->again)
      declare_hoisted_one(p, a, k);
  }
}

static void use_hoisted(Printer *p, Async *a) {
  if (for_readers(p))
    return;
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *k = a->locals.at[i];
    if (is_hoisted(k))
      print_say(p, "(void)%s; ", k->name);
  }
}

// Resumed because what it waits for unwinds. The body that call and resume share has its fields
// loaded already.
static void print_landings(Printer *p, Async *a) {
  if (!a->lands)
    return;
  print_note(p,
             "What it waited for unwinds, by an error or a cancel: goes on at "
             "the handler.");
  print_say(p,
            for_readers(p)
                ? "if (fm__unlikely(fm__unwinds(fm__c))) switch "
                  "(fm__f->fm__h.state) { "
                : "if (__builtin_expect(fm__unwinds(fm__c), 0)) switch "
                  "(fm__f->fm__h.state) { ");
  for (int i = 1; i < a->nstates; i++) {
    if (!a->states[i].used || !a->states[i].landing)
      continue;
    print_say(p, "case %d: ", i);
    if (!a->one_body)
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

// Where only inline operations throw, what goes on when something unwinds is a function of its own:
// the calls in its handlers would make the other one save registers, in which they are dead code
// then.
static bool lands_apart(Async *a) {
  return a->inlines && !a->landings && !a->one_body;
}

// the end of the resumed function, without a return
static void print_falls_off(Printer *p, Async *a) {
  if (!returns_void(a) && strcmp(a->decl->name->name, "main") == 0)
    print_say(p, " fm__f->fm__ret = 0;");
  print_text(p, " ");
  print_vla_frees(p);
  print_say(p,
            "fm__c->result = %s; return;",
            returns_void(a) ? "0" : "&fm__f->fm__ret");
}

static void
print_resumed_version(Printer *p, Async *a, const char *name, bool lands) {
  open_window(p, a);
  print_note(p,
             strcmp(name, "landed") == 0
                 ? "%s, resumed in a frame because what it waited for unwinds."
                 : "%s, resumed in a frame: goes on at the pause that its "
                   "state names (0: at the beginning).",
             a->decl->name->name);
  begin(p, a, V_RESUME);
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
  if (lands)
    print_landings(p, a);
  else
    print_say(p,
              for_readers(p) ? "if (fm__unlikely(fm__unwinds(fm__c))) { "
                               "%s__fm_landed(fm__c, fm__h); return; } "
                             : "if (__builtin_expect(fm__unwinds(fm__c), 0)) { "
                               "%s__fm_landed(fm__c, fm__h); return; } ",
              a->name);
  print_say(p, "switch (fm__h->state) { case 0: ");
  print_loads(p, a, 0);
  print_say(p, "break; ");
  for (int i = 1; i < a->nstates; i++) {
    if (!a->states[i].used)
      continue;
    print_say(p, "case %d: ", i);
    print_loads(p, a, i);
    print_say(p, "goto fm__L%d; ", i);
  }
  print_say(p, "} ");
  use_hoisted(p, a);
  print_user_body(p, a);
  if (!ends_by_return(p, a))
    print_falls_off(p, a);
  if (a->nstates > 1) {
    print_note(p, "Leaves: what is still needed is stored in the frame.");
    print_say(p,
              " fm__save: __attribute__((unused)); int fm__only = "
              "fm__only_pauses(fm__c); if (!fm__only "
              "&& fm__unwinds(fm__c)) { fm__passes(&%s__fm_code, fm__st & "
              "~(uint32_t)FM_AFTER); ",
              a->name);
    print_vla_frees(p);
    print_say(p, "return; } switch (fm__st & ~(uint32_t)FM_AFTER) { ");
    for (int i = 1; i < a->nstates; i++) {
      if (!a->states[i].used)
        continue;
      print_say(p, "case %d: ", i);
      print_stores(p, a, i);
      print_say(p, "break; ");
    }
    print_say(p,
              "} if (fm__only) { fm__paused_here(fm__c, fm__h, "
              "(uint16_t)fm__st); } else "
              "fm__stop(fm__c, fm__h, fm__st); }\n");
  } else {
    print_say(p, for_readers(p) ? "}" : " (void)fm__st; }\n");
  }
}

void print_resume_version(Printer *p, Async *a) {
  bool apart = lands_apart(a);
  if (apart) {
    print_code_attributes(p, a, true);
    print_say(p,
              for_readers(p) ? "static FM_COLD void %s__fm_landed(fm_domain *, "
                               "fm_frame *);"
                             : "static __attribute__((cold, noinline)) void "
                               "%s__fm_landed(fm_domain *, fm_frame *); ",
              a->name);
    print_resumed_version(p, a, "landed", true);
  }
  print_resumed_version(p, a, "resume", !apart);
}

// ---- one body for calls and for going on ----
// T f__fm_body(domain, parameters, frame): called, without a frame, it begins; resumed it jumps to
// where frame->state says. A function with residents has its frame from the beginning, and takes
// its parameters from there.
static void print_body_params(Printer *p, Async *a) {
  int n = 0;
  for (Param *q = a->type->params; q && !a->frame_on_entry; q = q->next, n++) {
    char name[32];
    snprintf(name, sizeof name, "fm__p%d", n);
    print_text(p, ", ");
    print_type(p,
               type_unqual(a->u, q->type),
               q->sym ? q->sym->local->name : name,
               0);
  }
}

// the arguments when it is resumed
static void print_no_params(Printer *p, Async *a) {
  for (Param *q = a->type->params; q && !a->frame_on_entry; q = q->next) {
    if (type_is_scalar(canon(q->type))) {
      print_text(p, ", 0");
      continue;
    }
    print_text(p, ", (");
    print_type(p, type_unqual(a->u, q->type), "", 0);
    print_text(p, ")");
    print_text(p, type_zero(q->type));
  }
}

// all fields are loaded, whoever needs them
static void print_dispatch(Printer *p, Async *a) {
  if (a->frame_on_entry) {
    print_say(p,
              for_readers(p)
                  ? "if (!(fm__st = fm__f->fm__h.state)) {"
                  : "if (__builtin_expect(!(fm__st = fm__f->fm__h.state), 1)) "
                    "{ ");
    print_end_note(p, "it begins");
  } else {
    print_say(p,
              for_readers(p) ? "if (!fm__f) {"
                             : "if (__builtin_expect(!fm__f, 1)) { ");
    print_end_note(p, "called");
    print_entry_check(p, a);
    print_say(p,
              "goto fm__save; } } else if (!(fm__st = fm__f->fm__h.state)) { ");
  }
  print_loads(p, a, 0);
  print_say(p, "} else { ");
  print_note(p, "Resumed: all fields are loaded.");
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *k = a->locals.at[i];
    if (k->slot >= 0 && !k->resident)
      print_load(p, k);
  }
  print_landings(p, a);
  print_say(p, "switch (fm__st) { ");
  for (int i = 1; i < a->nstates; i++)
    if (a->states[i].used)
      print_say(p, "case %d: goto fm__L%d; ", i, i);
  print_say(p, "} } ");
}

// All fields are stored; of those that share one, the one that is live.
static void print_save_slot(Printer *p, Async *a, int slot) {
  Local *first = slot_first(a, slot);
  bool shared = false;
  for (size_t i = (size_t)first->index + 1; i < a->locals.len; i++) {
    Local *k = a->locals.at[i];
    if (k->slot != slot)
      continue;
    if (!shared)
      print_say(p, "switch (fm__st & ~(uint32_t)FM_AFTER) { ");
    shared = true;
    for (int s = 0; s < a->nstates; s++)
      if (a->states[s].used && live_at(&a->states[s], k))
        print_say(p, "case %d: ", s);
    print_store(p, k);
    print_say(p, "break; ");
  }
  if (shared)
    print_say(p, "default: ");
  print_store(p, first);
  if (shared)
    print_say(p, "} ");
}

static void print_save(Printer *p, Async *a) {
  int n = slot_count(a);
  print_note(p,
             "Leaves: all fields are stored in the frame, which is made now "
             "if there is none.");
  print_say(
      p,
      for_readers(p)
          ? " if (0) { fm__save: if (fm__unlikely(fm__unwinds(fm__c))) { "
            "fm__passes(&%s__fm_code, fm__st & ~(uint32_t)FM_AFTER); "
          : " if (0) { fm__save: if (__builtin_expect(fm__unwinds(fm__c), 0)) "
            "{ fm__passes(&%s__fm_code, fm__st & ~(uint32_t)FM_AFTER); ",
      a->name);
  print_vla_frees(p);
  print_dummy(p, a);
  print_say(p,
            " } fm__f = (%s__fm_frame *)fm__stop_in(fm__c, (fm_frame *)fm__f, "
            "&%s__fm_code, fm__st); ",
            a->name,
            a->name);
  for (int i = 0; i < n; i++)
    if (slot_first(a, i) && !slot_first(a, i)->resident)
      print_save_slot(p, a, i);
  print_say(p, "} ");
}

static void print_body_heading(Printer *p, Async *a) {
  Buf name = { 0 };
  Printer q = *p;
  q.out = &name;
  q.line = UINT32_MAX;
  buf_printf(&name, "%s__fm_body(fm_domain *fm__c", a->name);
  print_body_params(&q, a);
  buf_printf(&name, ", %s__fm_frame *fm__f)", a->name);
  print_code_attributes(p, a, false);
  print_text(p, "static __attribute__((noinline)) ");
  print_type(p, returned(a), name.data, 0);
  buf_free(&name);
}

static void print_body(Printer *p, Async *a) {
  open_window(p, a);
  print_note(p,
             "%s, called or resumed. It has many pauses: one body serves both, "
             "with all variables at its head.",
             a->decl->name->name);
  begin(p, a, V_RESUME);
  print_body_heading(p, a);
  print_say(p, " { ");
  if (!a->frame_on_entry)
    use_nameless(p, a);
  declare_hoisted(p, a);
  print_pointers(p, a);
  print_say(p, "uint32_t fm__st = 0; ");
  print_dispatch(p, a);
  use_hoisted(p, a);
  print_user_body(p, a);
  print_text(p, " ");
  print_vla_frees(p);
  if (strcmp(a->decl->name->name, "main") == 0)
    print_say(p, "return 0; ");
  else if (returns_void(a))
    print_say(p, "return; ");
  print_save(p, a);
  if (!returns_void(a))
    print_dummy(p, a);
  print_say(p, "}\n");
}

// A frame that is not part of what has paused was not needed by `return g(x);`.
static void print_called(Printer *p, Async *a) {
  print_note(p, "%s, called.", a->decl->name->name);
  print_header(p, a, "call", true, returned(a));
  print_say(p, " {\n  ");
  if (!a->frame_on_entry) {
    print_say(p,
              returns_void(a) ? "%s__fm_body(fm__c"
                              : "return %s__fm_body(fm__c",
              a->name);
    print_args(p, a->type);
    print_say(p, ", 0);\n}\n");
    return;
  }
  print_say(p,
            "%s__fm_frame *fm__f = (%s__fm_frame *)%s__fm_%s(fm__c",
            a->name,
            a->name,
            a->name,
            full_start(a));
  print_args(p, a->type);
  print_say(p, ");\n  ");
  print_entry_check(p, a);
  print_say(p, "fm__stop(fm__c, &fm__f->fm__h, 0); ");
  print_dummy(p, a);
  print_say(p, " }\n  ");
  if (!returns_void(a)) {
    print_type(p, returned(a), "fm__v", 0);
    print_say(p, " = ");
  }
  print_say(p,
            "%s__fm_body(fm__c, fm__f);\n  if (!fm__pausing(fm__c) || "
            "fm__unwinds(fm__c)%s) "
            "fm__frame_free(fm__c, &fm__f->fm__h);\n%s}\n",
            a->name,
            gives_frame_away(a) ? " || fm__c->top != &fm__f->fm__h" : "",
            returns_void(a) ? "" : "  return fm__v;\n");
}

// If something has paused and the frame is not part of it, then what was called in `return g(x);`
// has, and takes its place.
static void print_resumed(Printer *p, Async *a) {
  print_note(p,
             "%s, resumed in a frame: goes on at the pause that its state "
             "names.",
             a->decl->name->name);
  print_say(p,
            "static void %s__fm_resume(fm_domain *fm__c, fm_frame *fm__h) {\n  "
            "%s__fm_frame *fm__f "
            "= (%s__fm_frame *)fm__h;\n  ",
            a->name,
            a->name,
            a->name);
  if (!returns_void(a)) {
    print_type(p, returned(a), "fm__v", 0);
    print_say(p, " = ");
  }
  print_say(p, "%s__fm_body(fm__c", a->name);
  print_no_params(p, a);
  print_say(p,
            ", fm__f);\n  if (fm__pausing(fm__c)) {\n    %sreturn;\n  }\n",
            a->frame_on_entry && !gives_frame_away(a)
                ? ""
                : "if (!fm__unwinds(fm__c) && fm__c->top != fm__h) "
                  "fm__tail(fm__c, fm__h);\n    ");
  if (!returns_void(a))
    print_say(
        p,
        "  __builtin_memcpy((void *)&fm__f->fm__ret, &fm__v, sizeof fm__v);\n");
  print_say(p, "}\n");
}

// A body that is only started and resumed, not called: of an activate, an arm or a job.
static bool is_called(const Async *a) {
  return !a->up && (!a->boundary || a->function);
}

static void print_entries(Printer *p, Async *a) {
  if (!a->large) {
    print_called(p, a);
    print_resumed(p, a);
    return;
  }
  if (is_called(a))
    print_large_called(p, a);
  print_large_resumed(p, a);
}

void print_one_body(Printer *p, Async *a) {
  if (a->large) {
    begin(p, a, V_RESUME);
    print_parts(p, a);
  } else {
    print_body(p, a);
  }
  buf_puts(p->out, "\n# 1 \"<fermata>\" 3\n");
  p->line = UINT32_MAX;
  p->version = V_PLAIN;
  print_entries(p, a);
  print_lost(p);
}

// ---- atomic ----
void print_atomic_version(Printer *p, Async *a) {
  print_note(p,
             "%s, called by `atomic`: ordinary C, during which no other "
             "activity runs.",
             a->decl->name->name);
  begin(p, a, V_ATOMIC);
  print_header(p, a, "atomic", false, returned(a));
  print_text(p, " { ");
  print_temps(p, a);
  use_nameless(p, a);
  print_user_body(p, a);
  if (strcmp(a->decl->name->name, "main") == 0 && !ends_by_return(p, a))
    print_say(p, " return 0;");
  print_text(p, " }\n");
  p->line++;
}

// With activities inside that share the frame there is no version without a frame: the atomic one
// runs the other, contained.
void print_atomic_thunk(Printer *p, Async *a) {
  print_note(p,
             "%s, called by `atomic`: it runs as an activity, and only those "
             "that it starts run beside it.",
             a->decl->name->name);
  begin(p, a, V_ATOMIC);
  print_header(p, a, "atomic", false, returned(a));
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
  if (strcmp(a->decl->name->name, "main") != 0)
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
