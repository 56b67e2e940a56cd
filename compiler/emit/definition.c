// definition.c: prints the definition of an async function as C, in this order: its hoisted
// declarations, its frame (frame.c), its descriptor, start and spill, and the versions call, resume
// and atomic (versions.c). include/fermata/abi.h describes these. Also prints the declarations that
// the prototype of an async function becomes.
#include "emit/layout.h"

#include <stdlib.h>

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

// C cannot assign to a structure with const members, but its bytes can be copied.
void print_copy(Printer *p, Type *t, const char *to, const char *from) {
  if (type_has_const_member(t))
    print_say(
        p, "__builtin_memcpy((void *)&%s, &%s, sizeof %s); ", to, from, to);
  else
    print_say(p, "%s = %s; ", to, from);
}

// The declaration is an inline definition (C11 6.7.4): each unit has functions of its own. The
// descriptor, which is the function's address, is one for all units.
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
// Returns the linkage of the generated functions.
static const char *linkage_of(Async *a) {
  bool inlined = is_internal(a->decl) && a->decl->specs->is_inline &&
                 has_attribute(a->u, a->decl->sym, "always_inline");
  return inlined ? "static __inline__ __attribute__((unused)) "
                 : linkage(a->decl);
}
static const char *descriptor_name(const Decl *d) {
  return d->sym && d->sym->emitted ? d->sym->emitted : d->name->name;
}
const char *descriptor_linkage(const Decl *d) {
  return is_inline(d) ? "__attribute__((weak)) " : linkage(d);
}

// Returns the name of the parameter in the version being printed; `nameless` if it has none.
static const char *param_name(Printer *p, Param *q, const char *nameless) {
  if (!q->name || moves_to_frame(p, q))
    return nameless;
  return p->version == V_CALL && q->sym && q->sym->local
             ? call_name(q->sym->local)
             : q->name->name;
}

// The parameter has the attribute `unused`, in one of its spellings.
static bool is_marked_unused(Unit *u, const Param *q) {
  for (TokIndex t = q->range.from; t < q->range.to; t++)
    if (t != q->tok && (tok_is(u, t, "unused") || tok_is(u, t, "__unused__") ||
                        tok_is(u, t, "maybe_unused")))
      return true;
  return false;
}

// Prints the parameters. first: no other parameter stands before them.
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

// va_start(list, last): `last` has to be the parameter itself, even if its value is in the frame.
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

void print_plain_args(Printer *p, Type *f) {
  int n = 0;
  for (Param *q = f->params; q; q = q->next, n++) {
    char name[32];
    snprintf(name, sizeof name, "fm__p%d", n);
    print_text(p, n ? ", " : "");
    print_text(p, param_name(p, q, name));
  }
}

void print_args(Printer *p, Type *f) {
  print_text(p, f->params ? ", " : "");
  print_plain_args(p, f);
}

// The other versions return where they pause, and a function that throws returns to its caller.
bool never_comes_back(const Decl *d) {
  return d->sym && d->sym->noreturn && !canon(d->type)->throws;
}

const char *generated_name(Generated which) {
  // clang-format off
  static const char *const names[] = {
    [GEN_DESCRIPTOR] = "",
    [GEN_CALL] = "call",
    [GEN_ATOMIC] = "atomic",
    [GEN_START] = "start",
    [GEN_FULL] = "full",
    [GEN_LAST] = "last",
    [GEN_INLINE] = "inline",
    [GEN_INLINE_LAST] = "inline_last",
    [GEN_RARE] = "rare",
    [GEN_RARE_LAST] = "rare_last",
  };
  // clang-format on
  return names[which];
}

bool takes_domain(Generated which) {
  return which != GEN_DESCRIPTOR && which != GEN_ATOMIC;
}

bool returns_frame(Generated which) {
  return which == GEN_START || which == GEN_FULL;
}

void print_header(Printer *p, Async *a, Generated which) {
  bool domain = takes_domain(which);
  // `f__fm_call(…)` is the declarator of the returned type, which may be a pointer to an array
  Buf name = { 0 };
  Printer q = without_lines(p, &name);
  buf_printf(&name, "%s__fm_%s(", a->name, generated_name(which));
  if (domain)
    buf_puts(&name, "fm_domain *fm__c");
  print_params(&q, a->type, !domain);
  if (a->type->variadic && !returns_frame(which))
    print_text(&q, domain || a->type->params ? ", ..." : "...");
  print_text(&q, ")");
  print_text(p, linkage_of(a));
  if (which == GEN_ATOMIC && never_comes_back(a->decl))
    print_text(p, "__attribute__((noreturn)) ");
  if (returns_frame(which))
    print_say(p, "fm_frame *%s", name.data);
  else
    print_type(p, returned(a), name.data, 0);
  buf_free(&name);
}

Type *returned(Async *a) {
  return type_unqual(a->u, a->type->base);
}
bool returns_void(Async *a) {
  return type_is_void(a->type->base);
}

// ---- declarations ----
static void print_start_declaration(Printer *p, Async *a) {
  print_code_attributes(p, a, false);
  print_header(p, a, GEN_START);
  print_text(p, ";\n");
}

static void print_declarations(Printer *p, Async *a) {
  print_header(p, a, GEN_CALL);
  print_text(p, ";\n");
  print_header(p, a, GEN_ATOMIC);
  print_text(p, ";\n");
  // a variadic function is never started in a frame
  if (a->type->variadic)
    return;
  print_header(p, a, GEN_START);
  print_text(p, ";\n");
}

// Returns the linkage of the descriptor where it is declared, not defined.
static const char *declared_linkage(const Decl *d) {
  return is_internal(d) && !is_inline(d) ? linkage(d) : "extern ";
}

static void print_with_attributes(Printer *p, Async *a, Generated which) {
  print_function_attributes(p, a->decl, which);
  print_sync(p, a->decl->tok);
  print_header(p, a, which);
  print_label(p, a->decl, which);
  print_text(p, "; ");
}

// Declares the versions and the descriptor with the user's attributes, on the user's lines.
static void print_attributed(Printer *p, Async *a) {
  print_with_attributes(p, a, GEN_CALL);
  print_with_attributes(p, a, GEN_ATOMIC);
  if (!a->type->variadic)
    print_with_attributes(p, a, GEN_START);
  print_descriptor_attributes(p, a->decl);
  print_sync(p, a->decl->tok);
  print_say(p,
            "%sconst fm_fn %s[1]",
            declared_linkage(a->decl),
            descriptor_name(a->decl));
  print_label(p, a->decl, GEN_DESCRIPTOR);
  print_text(p, ";");
}

// The declarations before the definition of the function, which is on no line of the user's.
static void print_own_declarations(Printer *p, Async *a) {
  if (!has_async_attributes(a->decl)) {
    print_declarations(p, a);
    // bodies of jobs and activates are printed before the descriptor, and may name the function
    if (a->jobs.len || a->inner.len)
      print_say(p,
                "%sconst fm_fn %s[1];\n",
                declared_linkage(a->decl),
                descriptor_name(a->decl));
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

// ---- the descriptor and the fm_code ----
// FM_ENDS, FM_HAS_WAITED, FM_ENDS_AFTER
static int ends_at(const State *s) {
  bool after = s->why == WHY_CALL && !s->more_after;
  return (s->more ? 0 : 1 | s->past << 1) | after << 2;
}

// Some pause is the last that the function can come to (State.more).
static bool ends_somewhere(const Async *a) {
  for (int i = 1; i < a->nstates; i++)
    if (a->states[i].used && ends_at(&a->states[i]))
      return true;
  return false;
}

// f__fm_ends: which pauses are the last (fm_code.ends)
static void print_ends(Printer *p, Async *a) {
  if (!ends_somewhere(a))
    return;
  print_say(p, "static const unsigned char %s__fm_ends[] = {", a->name);
  for (int i = 0; i < a->nstates; i++) {
    const State *s = &a->states[i];
    print_say(p, "%s%d", i ? ", " : " ", i && s->used ? ends_at(s) : 0);
  }
  print_say(p, " };");
  print_end_note(p, "which pauses are the last");
  print_say(p, "\n");
}

// Returns `.member = ` for readers; the compiled form has no names in its tables.
static const char *named(Printer *p, const char *member) {
  return for_readers(p) ? arena_printf(&p->u->arena, ".%s = ", member) : "";
}

void print_code_of(Printer *p,
                   Async *a,
                   const char *resume,
                   int nstates,
                   const char *frame,
                   int lands) {
  print_say(p, "{ %s%s__fm_%s, ", named(p, "resume"), a->name, resume);
  print_say(p, "%s\"%s\", ", named(p, "name"), a->decl->name->name);
  print_text(p, named(p, "file"));
  print_file_name(p, a->decl->tok);
  print_say(p, ", %s%s__fm_lines, ", named(p, "lines"), a->name);
  print_say(p, "%s%d, ", named(p, "nstates"), nstates);
  print_say(p, "%ssizeof(%s__fm_%s), ", named(p, "size"), a->name, frame);
  if (returns_void(a) && !for_readers(p)) {
    print_say(p, "0, 0, ");
  } else if (!returns_void(a)) {
    print_say(p,
              "%s__builtin_offsetof(%s__fm_%s, fm__ret), ",
              named(p, "result"),
              a->name,
              frame);
    print_say(p,
              "%ssizeof(((%s__fm_%s *)0)->fm__ret), ",
              named(p, "result_size"),
              a->name,
              frame);
  }
  bool ends = nstates > 1 && ends_somewhere(a);
  if (lands || !for_readers(p))
    print_say(p, "%s%d, ", named(p, "lands"), lands);
  if (ends)
    print_say(p, "%s%s__fm_ends", named(p, "ends"), a->name);
  else if (!for_readers(p))
    print_text(p, "0");
  print_say(p, " };\n");
}

static void print_code(Printer *p, Async *a) {
  print_note(p, "What the runtime knows of %s.", a->decl->name->name);
  print_code_attributes(p, a, false);
  print_say(p,
            "static void %s__fm_resume(fm_domain *, fm_frame *);\nstatic const "
            "uint32_t "
            "%s__fm_lines[] = {",
            a->name,
            a->name);
  for (int i = 0; i < a->nstates; i++)
    print_say(p, "%s%u", i ? ", " : " ", tok_at(p->u, a->states[i].tok)->line);
  print_say(p, " };");
  print_end_note(p, "where it stands, in each state");
  print_say(p, "\n");
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
            "%sconst fm_fn %s[1] = {{ ",
            descriptor_linkage(a->decl),
            descriptor_name(a->decl));
  print_say(p, "%s(void (*)(void))%s__fm_call, ", named(p, "call"), a->name);
  print_say(p,
            "%s(void (*)(void))%s__fm_atomic, ",
            named(p, "atomic"),
            a->name);
  print_say(p, "%s%s, ", named(p, "start"), start);
  print_say(p, "%s&%s__fm_code }};\n", named(p, "code"), a->name);
}

void print_left(Printer *p, Node *s) {
  Async *a = p->async ? p->async : p->plain;
  if (s->d) {
    print_goto(p, s->d->name);
  } else if (p->version == V_CALL) {
    print_say(p, "fm__unwind(fm__c); ");
    print_return_spill(p, (int)s->val, "");
  } else if (p->part) {
    print_say(p, "fm__unwind(fm__c); ");
    print_stop_part(p, (int)s->val, "");
  } else if (p->version == V_RESUME) {
    print_say(p, "fm__unwind(fm__c); fm__st = %d; goto fm__save;", (int)s->val);
  } else {
    // the caller of a plain function without `throws` does not check for an error after the call
    bool checked = a->type->throws && !is_main(a);
    if (p->version == V_PLAIN && !checked)
      print_say(p, "fm__unhandled(); ");
    print_dummy(p, a);
  }
}

// ---- the whole definition ----
// Prints hoisted declarations and frames, also of the bodies inside. A frame stands before those of
// the bodies inside, which have a pointer to it.
static void print_types(Printer *p, Async *a) {
  print_hoisted(p, a);
  print_frame(p, a);
  FOR_EACH (Async, body, a->inner) {
    print_types(p, body);
  }
  FOR_EACH (Async, body, a->jobs) {
    print_types(p, body);
  }
}

static void print_all_versions(Printer *p, Async *a) {
  if (a->one_body) {
    print_one_body(p, a);
  } else if (a->one_version) {
    print_resume_version(p, a);
    print_call_of_resume(p, a);
  } else if (only_atomic(a)) {
    print_calls_of_atomic(p, a);
  } else {
    print_call_version(p, a);
    print_resume_version(p, a);
  }
  if (a->inner.len || a->contained)
    print_contained_atomic(p, a);
  else
    print_atomic_version(p, a);
}

// The call version leaves by f__fm_spill.
static bool has_spill(const Async *a) {
  return a->nstates > 1 && !a->one_body && !a->one_version;
}

static void print_bodies_inside(Printer *p, Async *a);

// Prints the functions of a body inside the function. The body of an activate, arm or job is only
// started and resumed; that of a thunk is called, too.
static void print_body_functions(Printer *p, Async *a) {
  // lowering drops a catch of errors that are never thrown, with the bodies in it
  if (!a->body)
    return;
  print_bodies_inside(p, a);
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
  if (a->function && has_spill(a))
    print_spill(p, a);
  print_lost(p);
  if (a->function)
    print_all_versions(p, a);
  else if (a->one_body)
    print_one_body(p, a);
  else
    print_resume_version(p, a);
}

static void print_bodies_inside(Printer *p, Async *a) {
  FOR_EACH (Async, body, a->jobs) {
    print_body_functions(p, body);
  }
  FOR_EACH (Async, body, a->inner) {
    print_body_functions(p, body);
  }
}

// Returns a printer at the line of the token, whose text draws no warnings.
static Printer printer_after(Unit *u, Buf *out, const Token *at) {
  Printer p = text_printer(u, out);
  p.line = at->line;
  p.file = at->file;
  p.system = at->flags & TF_SYSTEM;
  p.quiet = true;
  return p;
}

void emit_async(Async *a, Buf *out) {
  Token *at = tok_at(a->u, a->item->range.from);
  Printer p = printer_after(a->u, out, at);
  p.async = a;
  print_sync(&p, a->decl->tok);
  print_generated(&p);
  print_types(&p, a);
  print_own_declarations(&p, a);
  print_bodies_inside(&p, a);
  p.async = a;
  p.version = V_PLAIN;
  print_generated(&p);
  print_code(&p, a);
  print_start(&p, a);
  if (has_spill(a))
    print_spill(&p, a);
  print_lost(&p); // generated text has lines of its own
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
  Printer p = printer_after(a->u, out, at);
  print_generated(&p);
  FOR_EACH (Async, body, a->jobs) {
    print_types(&p, body);
  }
  FOR_EACH (Async, body, a->jobs) {
    print_body_functions(&p, body);
  }
  p.async = NULL;
  p.version = V_PLAIN;
  p.quiet = false;
  print_lost(&p);
  print_sync(&p, it->range.from);
}

// `async int f(int);`: the declarations that callers need.
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
