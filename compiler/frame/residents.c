// residents.c: an async function as C: its frame (frame.c), its descriptor, and the versions call,
// resume and atomic (versions.c), all printed from the one lowered tree (what differs is in
// print-async.c and print-pause.c). include/fermata/abi.h says what they mean.
#include "fmcc.h"

#include <stdlib.h>

// ---- while the body is parsed ----
static const char *own_name(Unit *u, const Local *k) {
  return arena_printf(&u->arena, "%s__%d", k->sym->name->name, k->index);
}

Local *new_local(Unit *u, Symbol *s) {
  Local *k = NEW(&u->arena, Local);
  *k = (Local){ .sym = s,
                .owner = u->body->async,
                .name = s->name->name,
                .index = (int)u->body->async->locals.len,
                .slot = -1,
                .scope_from = s->tok };
  // in the resume version all stand side by side, in the function's own block
  bool taken = s->outer != NULL;
  for (size_t i = 0; i < u->body->async->locals.len; i++)
    taken |= ((Local *)u->body->async->locals.at[i])->sym->name == s->name;
  if (taken)
    k->name = own_name(u, k);
  vec_push(&u->body->async->locals, k);
  return s->local = k;
}

// `extern int x;` in a block keeps its name, which has to be that of the object outside. Pauses in
// that block speak of variables around it: one of that name is called otherwise.
void note_hidden(Unit *u, const Symbol *s) {
  for (const Symbol *o = s->outer; o; o = o->outer) {
    if (!o->local || o->local->owner != u->body->async)
      continue;
    o->local->hidden = true;
    o->local->name = own_name(u, o->local);
  }
}

// A variable of a function around an activate: it has to live in that function's frame, and the
// block that declares it waits for the activity.
void note_use(Unit *u, Symbol *s, TokIndex t) {
  if (!u->body->async)
    return;
  bool automatic = s->kind == S_VAR && s->depth > 0 &&
                   s->storage != ST_STATIC && s->storage != ST_EXTERN;
  for (Async *a = u->body->async; a && automatic; a = a->up)
    if (a->boundary && s->tok < a->decl->tok) {
      // only its type is wanted
      if (u->unevaluated)
        return;
      error_at(u,
               t,
               "`%s` belongs to the function around this `job`, which may have "
               "ended when the job "
               "runs; copy it: `job (%s) { … }`",
               s->name->name,
               s->name->name);
      return;
    }
  if (!s->local || s->local->owner == u->body->async)
    return;
  s->local->captured = true;
  refuse_va_capture(u, s, t);
  witness_shares(u->body->async, s);
  Async *a = u->body->async;
  while (a->up && a->up != s->local->owner)
    a = a->up;
  if (s->depth > a->share_depth)
    a->share_depth = s->depth;
  if (a->loop && s->tok > a->loop && !a->arm)
    warn_at(u,
            t,
            "`%s` belongs to a loop around this `activate`, and is shared with "
            "its later turns; "
            "copy it: `activate (%s)`",
            s->name->name,
            s->name->name);
}

const char *call_name(const Local *k) {
  return k->hides || k->hidden ? k->name : k->sym->name->name;
}

void note_address(Node *e) {
  for (;; e = e->a) {
    if (e->kind == N_COMPOUND_LIT && e->d)
      e = e->d;
    if (e->kind == N_IDENT) {
      if (e->sym && e->sym->local)
        e->sym->local->addressed = true;
      return;
    }
    bool inside = e->kind == N_PAREN || e->kind == N_MEMBER ||
                  e->kind == N_EXTENSION ||
                  (e->kind == N_INDEX && canon(e->a->type)->kind == TY_ARRAY) ||
                  (e->kind == N_UNARY && (e->op == K_REAL || e->op == K_IMAG));
    if (!inside)
      return;
  }
}

void name_literal(Unit *u, Node *e) {
  char name[40];
  int n = snprintf(name, sizeof name, "fm__lit%zu", u->body->async->locals.len);
  Symbol *s = declare(u, S_VAR, intern(u, name, (size_t)n), e->type, e->tok);
  Local *k = new_local(u, s);
  k->literal = true;
  k->scope_from = 0; // the call that it is handed to stands before it
  e->d = node_new(u, N_IDENT, e->tok);
  e->d->sym = s;
  e->d->type = e->type;
}

// ---- after parsing: which variables live in the frame ----
static bool pauses_inside(Async *a, Local *k) {
  for (int i = 1; i < a->nstates; i++)
    if (a->states[i].tok >= k->scope_from && a->states[i].tok < k->scope_to)
      return true;
  return false;
}

static void choose_residents(Async *a) {
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *k = a->locals.at[i];
    Type *t = canon(k->sym->type);
    // lengths are not known where locals are declared
    bool within = k->captured || type_is_vm(t) || pauses_inside(a, k);
    k->placed = !within && k->decl;
    // no pause keeps a va_list
    if (k->temp || !within || is_va_list(a->u, k->sym->type))
      continue;
    // only its value is used
    if (k->literal && !k->addressed)
      continue;
    k->resident = k->captured || k->addressed || t->kind == TY_ARRAY ||
                  (t->quals & (Q_VOLATILE | Q_ATOMIC)) || type_is_vm(t);
    a->frame_on_entry |= k->resident;
  }
}

// ---- printing helpers ----
void print_say(Printer *p, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  char *s = xvasprintf(fmt, ap);
  va_end(ap);
  buf_puts(p->out, s);
  for (char *c = s; *c; c++)
    if (*c == '\n' && p->line != UINT32_MAX)
      p->line++;
  free(s);
}

// To a structure with const members one cannot assign; its value can still be moved.
void print_copy(Printer *p, Type *t, const char *to, const char *from) {
  if (type_has_const_member(t))
    print_say(
        p, "__builtin_memcpy((void *)&%s, &%s, sizeof %s); ", to, from, to);
  else
    print_say(p, "%s = %s; ", to, from);
}

// C's inline definitions (6.7.4): each unit has functions of its own; the descriptor, that is, the
// address, is one for all.
static bool is_inline(const Decl *d) {
  return d->sym->defined && !d->sym->outside && d->sym->storage != ST_STATIC;
}
bool is_internal(const Decl *d) {
  return d->specs->storage == ST_STATIC || d->sym->storage == ST_STATIC ||
         is_inline(d);
}
static const char *linkage(const Decl *d) {
  return is_internal(d) ? "static __attribute__((unused)) " : "";
}
// of its functions
static const char *linkage_of(Async *a) {
  bool inlined = is_internal(a->decl) && a->decl->specs->is_inline &&
                 is_always_inline(a->u, a->decl->sym);
  return inlined ? "static __inline__ __attribute__((unused)) "
                 : linkage(a->decl);
}
static const char *descriptor_name(const Decl *d) {
  return d->sym && d->sym->emitted ? d->sym->emitted : d->name->name;
}
const char *descriptor_linkage(const Decl *d) {
  return is_inline(d) ? "__attribute__((weak)) " : linkage(d);
}

// in the version being printed
static const char *param_name(Printer *p, Param *q, const char *nameless) {
  if (!q->name || moves_to_frame(p, q))
    return nameless;
  return p->version == V_CALL && q->sym && q->sym->local
             ? call_name(q->sym->local)
             : q->name->name;
}

// by an attribute, in whichever spelling
static bool is_marked_unused(Unit *u, const Param *q) {
  for (TokIndex t = q->range.from; t < q->range.to; t++)
    if (t != q->tok && (tok_is(u, t, "unused") || tok_is(u, t, "__unused__") ||
                        tok_is(u, t, "maybe_unused")))
      return true;
  return false;
}

// `first`: no comma before
static void print_params(Printer *p, Type *f, bool first) {
  int n = 0;
  for (Param *q = f->params; q; q = q->next) {
    char name[32];
    if (!first || n)
      print_text(p, ", ");
    snprintf(name, sizeof name, "fm__p%d", n++);
    print_type(p, q->copied ? q->type : q->written, param_name(p, q, name), 0);
    if (q->name && is_marked_unused(p->u, q))
      print_text(p, " __attribute__((unused))");
  }
  if (first && !n && !f->variadic)
    print_text(p, "void");
}

// va_start(list, last): the parameter as the version being printed calls it, wherever its value is.
void print_va_start(Printer *p, Node *e) {
  print_expr(p, e->b, L_ASSIGN);
  Param *last = p->async->type->params;
  if (p->version == V_RESUME || !last || !e->b->next)
    return;
  char name[32];
  int n = 0;
  for (; last->next; last = last->next)
    n++;
  snprintf(name, sizeof name, "fm__p%d", n);
  print_text(p, ", ");
  print_text(p, param_name(p, last, name));
}

void print_args(Printer *p, Type *f) {
  int n = 0;
  for (Param *q = f->params; q; q = q->next, n++) {
    char name[32];
    snprintf(name, sizeof name, "fm__p%d", n);
    print_text(p, ", ");
    print_text(p, param_name(p, q, name));
  }
}

// Its atomic version is a C function that does not return. The others do, where they pause; one
// that throws does, in C.
bool never_comes_back(const Decl *d) {
  return d->sym && d->sym->noreturn && !canon(d->type)->throws;
}

void print_header(
    Printer *p, Async *a, const char *what, bool domain, Type *returned) {
  // `f__fm_call(…)`, as the declarator of what is returned
  Buf name = { 0 };
  Printer q = *p;
  q.out = &name;
  q.line = UINT32_MAX;
  buf_printf(
      &name, "%s__fm_%s(%s", a->name, what, domain ? "fm_domain *fm__c" : "");
  print_params(&q, a->type, !domain);
  if (a->type->variadic && returned)
    print_text(&q, domain || a->type->params ? ", ..." : "...");
  print_text(&q, ")");
  print_text(p, linkage_of(a));
  if (strcmp(what, "atomic") == 0 && never_comes_back(a->decl))
    print_text(p, "__attribute__((noreturn)) ");
  if (returned)
    print_type(p, returned, name.data, 0);
  else
    print_say(p, "fm_frame *%s", name.data);
  buf_free(&name);
}

Type *returned(Async *a) {
  return type_unqual(a->u, a->type->base);
}
bool returns_void(Async *a) {
  return type_is_void(a->type->base);
}

// ---- the parts ----
static void print_start_declaration(Printer *p, Async *a) {
  print_code_attributes(p, a, false);
  print_header(p, a, "start", true, NULL);
  print_text(p, ";\n");
}

static void print_declarations(Printer *p, Async *a) {
  print_header(p, a, "call", true, returned(a));
  print_text(p, ";\n");
  print_header(p, a, "atomic", false, returned(a));
  print_text(p, ";\n");
  // it is never begun in a frame
  if (a->type->variadic)
    return;
  print_header(p, a, "start", true, NULL);
  print_text(p, ";\n");
}

// of the descriptor, where it is only declared
static const char *declared_linkage(const Decl *d) {
  return is_internal(d) && !is_inline(d) ? linkage(d) : "extern ";
}

static void print_with_attributes(
    Printer *p, Async *a, const char *version, bool domain, Type *returned) {
  print_function_attributes(p, a->decl, version);
  print_sync(p, a->decl->tok);
  print_header(p, a, version, domain, returned);
  print_label(p, a->decl, version);
  print_text(p, "; ");
}

// On the user's lines, without line breaks of ours.
static void print_attributed(Printer *p, Async *a) {
  print_with_attributes(p, a, "call", true, returned(a));
  print_with_attributes(p, a, "atomic", false, returned(a));
  if (!a->type->variadic)
    print_with_attributes(p, a, "start", true, NULL);
  print_descriptor_attributes(p, a->decl);
  print_sync(p, a->decl->tok);
  print_say(p,
            "%sconst fm_fn %s[1]",
            declared_linkage(a->decl),
            descriptor_name(a->decl));
  print_label(p, a->decl, "");
  print_text(p, ";");
}

// Within the definition of the function, which is on no line of the user's.
static void print_own_declarations(Printer *p, Async *a) {
  if (!has_async_attributes(a->decl)) {
    print_declarations(p, a);
    return;
  }
  p->quiet = false;
  print_lost(p);
  print_attributed(p, a);
  buf_puts(p->out, "\n# 1 \"<fermata>\" 3\n");
  p->line = UINT32_MAX;
  p->quiet = true;
}

void print_file_name(Printer *p, TokIndex t) {
  const char *s = p->u->files[tok_at(p->u, t)->file].name;
  buf_putc(p->out, '"');
  for (; *s; s++) {
    if (*s == '"' || *s == '\\')
      buf_putc(p->out, '\\');
    buf_putc(p->out, *s);
  }
  buf_putc(p->out, '"');
}

static bool ends_somewhere(const Async *a) {
  for (int i = 1; i < a->nstates; i++)
    if (a->states[i].used && !a->states[i].more)
      return true;
  return false;
}

static void print_ends(Printer *p, Async *a) {
  if (!ends_somewhere(a))
    return;
  print_say(p, "static const unsigned char %s__fm_ends[] = {", a->name);
  for (int i = 0; i < a->nstates; i++) {
    const State *s = &a->states[i];
    bool ends = i && s->used && !s->more;
    // FM_ENDS, FM_HAS_WAITED
    print_say(p, "%s%d", i ? ", " : " ", ends ? 1 | s->past << 1 : 0);
  }
  print_say(p, " };\n");
}

void print_code_of(Printer *p,
                   Async *a,
                   const char *resume,
                   int nstates,
                   const char *frame,
                   int lands) {
  print_say(p, "{ %s__fm_%s, \"%s\", ", a->name, resume, a->decl->name->name);
  print_file_name(p, a->decl->tok);
  print_say(p,
            ", %s__fm_lines, %d, sizeof(%s__fm_%s), ",
            a->name,
            nstates,
            a->name,
            frame);
  if (returns_void(a))
    print_say(p, "0, 0, %d, ", lands);
  else
    print_say(p,
              "__builtin_offsetof(%s__fm_%s, fm__ret), sizeof(((%s__fm_%s "
              "*)0)->fm__ret), %d, ",
              a->name,
              frame,
              a->name,
              frame,
              lands);
  if (nstates > 1 && ends_somewhere(a))
    print_say(p, "%s__fm_ends };\n", a->name);
  else
    print_say(p, "0 };\n");
}

static void print_code(Printer *p, Async *a) {
  print_code_attributes(p, a, false);
  print_say(p,
            "static void %s__fm_resume(fm_domain *, fm_frame *);\nstatic const "
            "uint32_t "
            "%s__fm_lines[] = {",
            a->name,
            a->name);
  for (int i = 0; i < a->nstates; i++)
    print_say(p, "%s%u", i ? ", " : " ", tok_at(p->u, a->states[i].tok)->line);
  print_say(p, " };\n");
  print_ends(p, a);
  print_say(p, "static const fm_code %s__fm_code = ", a->name);
  print_code_of(
      p, a, "resume", a->nstates, "frame", a->lands | a->of_library << 2);
  if (a->up || (a->boundary && !a->function))
    return;
  const char *start = "0";
  if (!a->type->variadic)
    start = arena_printf(&p->u->arena, "(void (*)(void))%s__fm_start", a->name);
  print_say(p,
            "%sconst fm_fn %s[1] = {{ (void (*)(void))%s__fm_call, "
            "(void (*)(void))%s__fm_atomic, %s, &%s__fm_code }};\n",
            descriptor_linkage(a->decl),
            descriptor_name(a->decl),
            a->name,
            a->name,
            start,
            a->name);
}

// An error leaves the function, or goes to its handler there.
void print_left(Printer *p, Node *s) {
  Async *a = p->async ? p->async : p->plain;
  if (s->d) {
    print_say(p, "goto %s;", s->d->name->name);
  } else if (p->version == V_CALL) {
    print_say(p, "fm__unwind(fm__c); ");
    print_return_spill(p, (int)s->val, false);
  } else if (p->version == V_RESUME) {
    print_say(p, "fm__unwind(fm__c); fm__st = %d; goto fm__save;", (int)s->val);
  } else {
    // no one is there to look behind it
    bool plain_main =
        p->version == V_PLAIN && strcmp(a->decl->name->name, "main") == 0;
    if (!a->type->throws || plain_main)
      print_say(p, "fm__unhandled(); ");
    print_dummy(p, a);
  }
}

// ---- the whole ----
// frames, the outer ones first
static void print_types(Printer *p, Async *a) {
  print_hoisted(p, a);
  print_frame(p, a);
  for (size_t i = 0; i < a->inner.len; i++)
    print_types(p, a->inner.at[i]);
  for (size_t i = 0; i < a->jobs.len; i++)
    print_types(p, a->jobs.at[i]);
}

static void print_all_versions(Printer *p, Async *a) {
  if (a->one_body) {
    print_one_body(p, a);
  } else {
    print_call_version(p, a);
    print_resume_version(p, a);
  }
  if (a->inner.len || a->thunk)
    print_atomic_thunk(p, a);
  else
    print_atomic_version(p, a);
}

// of an activate, arm or job: it is only started and resumed; of a thunk: all
static void print_body_functions(Printer *p, Async *a) {
  // it stands in a catch of what is never thrown, which is left out
  if (!a->body)
    return;
  for (size_t i = 0; i < a->jobs.len; i++)
    print_body_functions(p, a->jobs.at[i]);
  for (size_t i = 0; i < a->inner.len; i++)
    print_body_functions(p, a->inner.at[i]);
  p->async = a;
  p->quiet = true;
  p->version = V_PLAIN;
  buf_puts(p->out, "\n# 1 \"<fermata>\" 3\n");
  p->line = UINT32_MAX;
  if (a->function)
    print_declarations(p, a);
  else
    print_start_declaration(p, a);
  print_code(p, a);
  print_start(p, a);
  if (a->function && a->nstates > 1 && !a->one_body)
    print_spill(p, a);
  print_lost(p);
  if (a->function)
    print_all_versions(p, a);
  else
    print_resume_version(p, a);
}

void emit_async(Async *a, Buf *out) {
  Token *at = tok_at(a->u, a->item->range.from);
  Printer p = { .u = a->u,
                .out = out,
                .line = at->line,
                .file = at->file,
                .system = at->flags & TF_SYSTEM,
                .pragma = SIZE_MAX,
                .async = a,
                .quiet = true };
  print_sync(&p, a->decl->tok);
  // until the versions: generated text, which is on no line of the user's
  buf_puts(out, "\n# 1 \"<fermata>\" 3\n");
  p.line = UINT32_MAX;
  print_types(&p, a);
  print_own_declarations(&p, a);
  for (size_t i = 0; i < a->jobs.len; i++)
    print_body_functions(&p, a->jobs.at[i]);
  for (size_t i = 0; i < a->inner.len; i++)
    print_body_functions(&p, a->inner.at[i]);
  p.async = a;
  p.version = V_PLAIN;
  buf_puts(out, "\n# 1 \"<fermata>\" 3\n");
  p.line = UINT32_MAX;
  print_code(&p, a);
  print_start(&p, a);
  if (a->nstates > 1 && !a->one_body)
    print_spill(&p, a);
  print_lost(&p); // what was generated had lines of its own
  print_all_versions(&p, a);
  buf_puts(out, "\n# 1 \"<fermata>\" 3\n");
  print_lost(&p);
  print_main(&p, a);
  TokIndex last = a->item->body.to - 1;
  p.version = V_PLAIN;
  p.quiet = false;
  print_sync(&p, last);
}

void emit_jobs(Async *a, Item *it, Buf *out) {
  Token *at = tok_at(a->u, it->range.from);
  if (!a->jobs.len)
    return;
  Printer p = { .u = a->u,
                .out = out,
                .line = at->line,
                .file = at->file,
                .system = at->flags & TF_SYSTEM,
                .pragma = SIZE_MAX,
                .quiet = true };
  buf_puts(out, "\n# 1 \"<fermata>\" 3\n");
  p.line = UINT32_MAX;
  for (size_t i = 0; i < a->jobs.len; i++)
    print_types(&p, a->jobs.at[i]);
  for (size_t i = 0; i < a->jobs.len; i++)
    print_body_functions(&p, a->jobs.at[i]);
  p.async = NULL;
  p.version = V_PLAIN;
  p.quiet = false;
  print_lost(&p);
  print_sync(&p, it->range.from);
}

// `async int f(int);`: what others need to call it.
void emit_async_prototype(Unit *u, Decl *d, Printer *p) {
  Async a = {
    .u = u, .decl = d, .type = canon(d->type), .name = d->name->name
  };
  if (has_async_attributes(d)) {
    print_attributed(p, &a);
    return;
  }
  print_declarations(p, &a);
  print_say(p,
            "%sconst fm_fn %s[1];\n",
            declared_linkage(d),
            descriptor_name(d));
}

// ---- what no pause may come upon ----
static void no_yields(Async *a) {
  a->auto_yield = a->loop_yield = false;
}

static void drop_yields(Async *a) {
  if (a->still)
    no_yields(a);
}

static void refuse_pauses(Async *a) {
  for (int i = 1; i < a->nstates; i++) {
    State *s = &a->states[i];
    if (s->why == WHY_AFTER || s->why == WHY_AUTO || s->why == WHY_THROW)
      continue;
    if (a->still && (s->tok > a->still || a->still_what[0] == 't')) {
      error_at(a->u,
               s->tok,
               "this may pause, and %s, which this function uses, cannot be "
               "kept across a pause",
               a->still_what);
      note_at(a->u, a->still, "it is used here");
      return;
    }
  }
}

// see runtime/frame.c, vla.c
static void refuse_alignments(Async *a) {
  enum { FRAME = 64, VLA = 16 };
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *k = a->locals.at[i];
    int64_t align = type_align(a->u, k->sym->type),
            most = is_vla(k) ? VLA : FRAME;
    if (k->resident && k->align > align)
      align = k->align;
    if (k->slot < 0 || align <= most)
      continue;
    error_at(a->u,
             k->sym->tok,
             "`%s` is aligned to %d bytes, and %s in an async function can be "
             "to %d at most: "
             "allocate it, by aligned_alloc, or make it static",
             k->sym->name->name,
             (int)align,
             is_vla(k) ? "an array of variable length" : "what is kept",
             (int)most);
  }
}

// ---- the stages for one function ----
void async_free(Async *a) {
  vec_free(&a->inner);
  vec_free(&a->jobs);
  vec_free(&a->locals);
  vec_free(&a->temps);
  vec_free(&a->hoisted);
  vec_free(&a->shares);
  vec_free(&a->labels);
  free(a->states);
}

// Not one of a function around it: a job's, or that of a stream's function.
static bool is_own(Async *a, const Local *k) {
  return k && (size_t)k->index < a->locals.len && a->locals.at[k->index] == k;
}

static void find_hidden(Async *a) {
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *k = a->locals.at[i];
    for (Symbol *o = k->sym->outer; o && !k->hides; o = o->outer)
      for (int j = 1; j < a->nstates && is_own(a, o->local); j++)
        if (a->states[j].tok >= k->scope_from &&
            a->states[j].tok < k->scope_to && live_at(&a->states[j], o->local))
          k->hides = true;
  }
}

// Where there are many pauses the versions are what a function costs, in text and in the C
// compiler's time, and each turn of it calls so much that a few instructions on entry do not
// matter: then call and resume share one body.
void choose_form(Async *a) {
  enum { MANY = 8 };
  int n = 0;
  for (int i = 1; i < a->nstates; i++)
    n += a->states[i].used;
  a->one_body =
      n > MANY && !begins_in_call(a) && !a->up && !a->inner.len && !a->boundary;
}

void finish_async(Async *a, Node *body) {
  Range text = { body->tok,
                 body->kind == N_COMPOUND ? body->end + 1 : body->tok };
  drop_yields(a);
  refuse_variadic(a);
  lower_async(a, body); // and with it the bodies of its activates
  if (a->nstates > UINT16_MAX)
    fail_at(a->u,
            a->decl->tok,
            "this function has more than %d places at which it can pause",
            UINT16_MAX - 1);
  for (size_t i = 0; i < a->inner.len; i++)
    a->frame_on_entry = true;
  refuse_pauses(a);
  find_va_lists(a);
  choose_residents(a);
  find_live(a);
  refuse_alignments(a);
  warn_kept_tails(a);
  find_hidden(a);
  name_locals(a, text);
  for (int i = 1; i < a->nstates; i++)
    a->lands |= a->states[i].used && a->states[i].landing;
  for (size_t i = 0; i < a->locals.len; i++)
    a->lands |= is_vla(a->locals.at[i]);
}
