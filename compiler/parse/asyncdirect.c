// asyncdirect.c: asyncdirect functions: the body is plain C that passes a completion on; callers
// see an async function.
//
//     asyncdirect int ready(int fd, fm_completion(int) *k) { … }
//     async int ready(int fd);                                   (as callers see it)
//
// The function becomes a plain function, ready__fm_direct(fd, k), and versions that begin a wait,
// call it and wait (runtime/wait/completion.c).
#include "fmcc.h"

// ---- the two types ----
static Param *last_param(Type *f) {
  Param *p = f->params;
  while (p && p->next)
    p = p->next;
  return p;
}

// The T of fm_completion(T) *, or NULL.
static Type *completion_of(Param *p) {
  Type *t = p ? canon(p->type) : NULL;
  t = t && t->kind == TY_POINTER ? canon(t->base) : NULL;
  return t && t->kind == TY_COMPLETION ? t->base : NULL;
}

static Param *without_last(Unit *u, Param *p) {
  if (!p->next)
    return NULL;
  Param *copy = NEW(&u->arena, Param);
  *copy = *p;
  copy->next = without_last(u, p->next);
  return copy;
}

void split_direct(Unit *u, Decl *d) {
  Type *f = canon(d->type);
  Type *seen;
  if (f->kind != TY_FUNC)
    fail_at(u, d->tok, "only a function can be `asyncdirect`");
  if (f->variadic)
    fail_at(u, d->tok, "an asyncdirect function cannot take `...`");
  Type *t = completion_of(last_param(f));
  if (!t)
    fail_at(u,
            d->tok,
            "the last parameter of an asyncdirect function has to be its "
            "completion: here "
            "`fm_completion(%s) *k`",
            type_text(u, f->base));
  if (!type_compatible(u, t, f->base)) {
    u->hold_errors = false;
    error_at(u,
             last_param(f)->tok,
             "this function returns `%s`, and its completion is of type `%s`: "
             "both have to be the same",
             type_text(u, f->base),
             type_text(u, t));
  }
  seen = type_new(u, TY_FUNC, f->base);
  *seen = *f;
  seen->canon = seen;
  seen->params = without_last(u, f->params);
  seen->is_async = true;
  d->direct = type_new(u, TY_FUNC, type_scalar(u, TY_VOID));
  d->direct->params = f->params;
  d->type = d->written = seen;
}

// ---- the text ----
typedef struct Direct {
  Printer *p;
  Async *a;
  bool is_void;
  const char *name;
} Direct;

static void print_param(Printer *p, Param *q, int n) {
  char name[32];
  snprintf(name, sizeof name, "fm__p%d", n);
  print_type(p, q->type, q->name ? q->name->name : name, 0);
}

static void print_fields(Direct *d) {
  int n = 0;
  print_say(d->p, "typedef struct %s__fm_frame { fm_frame fm__h; ", d->name);
  if (!d->is_void) {
    print_type(d->p, returned(d->a), "fm__ret", 0);
    print_say(d->p, "; ");
  }
  for (Param *q = d->a->type->params; q; q = q->next, n++) {
    print_type(d->p,
               type_unqual(d->a->u, q->type),
               arena_printf(&d->a->u->arena, "fm__a%d", n),
               0);
    print_say(d->p, "; ");
  }
  print_say(d->p, "} %s__fm_frame;\n", d->name);
}

typedef enum {
  PARAMETERS,
  FIELDS_OF_FRAME,
} Arguments;

// k = …; f__fm_direct(args, k); r = …
static void print_begin(Direct *d, Arguments from) {
  int n = 0;
  print_say(d->p,
            "fm_completion *fm__k = fm__direct_begin(fm__c, &%s__fm_code); "
            "%s__fm_direct(",
            d->name,
            d->name);
  for (Param *q = d->a->type->params; q; q = q->next, n++) {
    if (from == FIELDS_OF_FRAME)
      print_say(d->p, "fm__f->fm__a%d, ", n);
    else if (q->name)
      print_say(d->p, "%s, ", q->name->name);
    else
      print_say(d->p, "fm__p%d, ", n);
  }
  print_say(d->p, "fm__k); ");
}

// return *(T *)r
static void print_value(Direct *d) {
  if (d->is_void) {
    print_say(d->p, "(void)fm__r; fm__done(fm__c); }\n");
    return;
  }
  print_type(d->p, returned(d->a), "fm__v", 0);
  print_say(d->p,
            "; __builtin_memcpy((void *)&fm__v, fm__r, sizeof fm__v); "
            "fm__done(fm__c); "
            "return fm__v; }\n");
}

static void print_direct_call(Direct *d) {
  print_header(d->p, d->a, GEN_CALL);
  print_say(d->p, " { ");
  print_begin(d, PARAMETERS);
  print_say(
      d->p,
      "void *fm__r = fm__direct_end(fm__c, fm__k); if (fm__pausing(fm__c)) { ");
  print_dummy(d->p, d->a);
  print_say(d->p, " } ");
  print_value(d);
}

static void print_direct_atomic(Direct *d) {
  print_header(d->p, d->a, GEN_ATOMIC);
  print_say(d->p, " { fm_domain *fm__c = fm__here(); ");
  print_begin(d, PARAMETERS);
  print_say(d->p,
            "void *fm__r = fm__direct_end(fm__c, fm__k); if "
            "(fm__stopped(fm__c) && fm__below(fm__c) == "
            "FM_PAUSED) { fm__atomic_pump(fm__c); fm__r = fm__c->result; } if "
            "(fm__throws()) { ");
  print_dummy(d->p, d->a);
  print_say(d->p, " } ");
  print_value(d);
}

static void print_direct_resume(Direct *d) {
  print_say(d->p,
            "static void %s__fm_resume(fm_domain *fm__c, fm_frame *fm__h) { "
            "%s__fm_frame *fm__f = "
            "(%s__fm_frame *)fm__h; void *fm__r = fm__c->result; (void)fm__f; ",
            d->name,
            d->name,
            d->name);
  print_say(d->p, "if (fm__h->state == 0) { ");
  print_begin(d, FIELDS_OF_FRAME);
  print_say(d->p,
            "fm__r = fm__direct_end(fm__c, fm__k); if (fm__pausing(fm__c)) { "
            "if (fm__unwinds(fm__c)) "
            "return; fm__h->state = 1; fm__paused(fm__c, fm__h); return; } } ");
  if (d->is_void)
    print_say(d->p, "(void)fm__r; fm__done(fm__c); }\n");
  else
    print_say(d->p,
              "__builtin_memcpy((void *)&fm__f->fm__ret, fm__r, sizeof "
              "fm__f->fm__ret); "
              "fm__done(fm__c); }\n");
}

static void print_direct_start(Direct *d) {
  print_header(d->p, d->a, GEN_START);
  print_say(d->p,
            " { %s__fm_frame *fm__f = (%s__fm_frame *)fm__frame_new(fm__c, "
            "&%s__fm_code); ",
            d->name,
            d->name,
            d->name);
  print_stored_args(d->p, d->a);
  print_say(d->p, "return &fm__f->fm__h; }\n");
}

static void print_direct_code(Direct *d) {
  uint32_t line = tok_at(d->a->u, d->a->decl->tok)->line;
  print_code_attributes(d->p, d->a, false);
  print_say(d->p,
            "static void %s__fm_resume(fm_domain *, fm_frame *);\nstatic const "
            "uint32_t "
            "%s__fm_lines[] = { %u, %u };\n",
            d->name,
            d->name,
            line,
            line);
  print_say(d->p,
            "static const fm_code %s__fm_code = { %s__fm_resume, \"%s\", ",
            d->name,
            d->name,
            d->name);
  print_file_name(d->p, d->a->decl->tok);
  print_say(d->p,
            ", %s__fm_lines, 2, sizeof(%s__fm_frame), ",
            d->name,
            d->name);
  if (d->is_void)
    print_say(d->p, "0, 0, 0, fm__leaf_ends };\n");
  else
    print_say(d->p,
              "__builtin_offsetof(%s__fm_frame, fm__ret), "
              "sizeof(((%s__fm_frame *)0)->fm__ret), 0, "
              "fm__leaf_ends };\n",
              d->name,
              d->name);
  print_say(d->p,
            "%sconst fm_fn %s[1] = {{ (void (*)(void))%s__fm_call, (void "
            "(*)(void))%s__fm_atomic, "
            "(void (*)(void))%s__fm_start, &%s__fm_code }};\n",
            descriptor_linkage(d->a->decl),
            d->name,
            d->name,
            d->name,
            d->name,
            d->name);
}

// The user's text, on the user's lines.
static void print_direct_body(Direct *d, Item *it) {
  int n = 0;
  d->p->plain = it->plain;
  print_lost(d->p);
  print_sync(d->p, it->direct->tok);
  print_code_attributes(d->p, d->a, false);
  print_say(d->p, "static void %s__fm_direct(", d->name);
  for (Param *q = it->direct->direct->params; q; q = q->next, n++) {
    if (n)
      print_say(d->p, ", ");
    print_param(d->p, q, n);
  }
  print_say(d->p, ") ");
  bool temps = it->plain && it->plain->locals.len;
  if (temps)
    print_say(d->p, "{ ");
  if (temps)
    print_temps(d->p, it->plain);
  print_statement(d->p, it->tree);
  if (temps)
    print_say(d->p, " }");
}

void emit_direct(Unit *u, Item *it, Buf *out) {
  Token *at = tok_at(u, it->range.from);
  Async a = {
    .u = u,
    .decl = it->direct,
    .type = canon(it->direct->type),
    .name = it->direct->name->name,
  };
  Printer p = {
    .u = u,
    .out = out,
    .line = at->line,
    .file = at->file,
    .system = at->flags & TF_SYSTEM,
    .pragma = SIZE_MAX,
  };
  Direct d = { &p, &a, returns_void(&a), a.name };
  if (it->plain)
    emit_jobs(it->plain, it, out);
  print_direct_body(&d, it);
  if (has_async_attributes(it->direct))
    emit_async_prototype(u, it->direct, &p);
  buf_puts(out, "\n# 1 \"<fermata>\" 3\n");
  p.line = UINT32_MAX;
  print_fields(&d);
  if (!has_async_attributes(it->direct))
    emit_async_prototype(u, it->direct, &p);
  print_direct_code(&d);
  print_direct_start(&d);
  print_direct_call(&d);
  print_direct_resume(&d);
  print_direct_atomic(&d);
  print_lost(&p);
  print_sync(&p, it->body.to - 1);
}
