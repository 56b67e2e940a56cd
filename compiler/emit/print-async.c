// print-async.c: prints the expressions of the dialect (calls of async functions, spawn, run, job
// …), and the declarations that the versions of an async function print differently. print-pause.c
// prints the statements, and all code that leaves the function.
#include "emit/layout.h"
#include "emit/print-async.h"

void print_number(Printer *p, const char *before, long n, const char *after) {
  char text[160];
  snprintf(text, sizeof text, "%s%ld%s", before, n, after);
  print_text(p, text);
}

// ---- calls ----
// Returns the type of the async function that is called.
static Type *called(Unit *u, Node *call) {
  Type *f = canon(rvalue(u, call->a));
  return f->kind == TY_POINTER ? canon(f->base) : f;
}

Node *bare_callee(Node *e) {
  while (e->kind == N_PAREN || (e->kind == N_UNARY && e->op == P_STAR &&
                                canon(e->type)->kind == TY_FUNC))
    e = e->a;
  return e;
}

// The function to call: `f__fm_call`, or the member of a descriptor, cast to its real type.
static void print_target(Printer *p, Node *call, Generated which) {
  bool domain = takes_domain(which);
  Node *f = bare_callee(call->a);
  if (f->kind == N_IDENT && f->sym && f->sym->kind == S_FUNC) {
    print_at(p, f->tok, f->sym->name->name);
    buf_printf(p->out, "__fm_%s", generated_name(which));
    return;
  }
  Type *t = called(p->u, call);
  print_text(p, "((");
  if (returns_frame(which))
    print_text(p, "fm_frame *");
  else
    print_type(p, type_unqual(p->u, t->base), "", 0);
  print_text(p, "(*)(");
  if (domain)
    print_text(p, "fm_domain *");
  for (Param *q = t->params; q; q = q->next) {
    if (domain || q != t->params)
      print_text(p, ", ");
    print_type(p, q->type, "", 0);
  }
  if (t->variadic && !returns_frame(which))
    print_text(p, domain || t->params ? ", ..." : "...");
  else if (!domain && !t->params)
    print_text(p, "void");
  print_text(p, "))(");
  print_expr(p, f, L_COMMA);
  print_text(p, ")->");
  buf_puts(p->out, generated_name(which));
  print_text(p, ")");
}

// Returns the domain, as the version being printed has it.
static const char *domain(Printer *p) {
  return yielding(p) ? "fm__c" : "fm__here()";
}

void print_call(Printer *p, Node *call, Generated which) {
  print_target(p, call, which);
  print_text(p, "(");
  if (takes_domain(which))
    print_text(p, domain(p));
  for (Node *a = call->b; a; a = a->next) {
    if (takes_domain(which) || a != call->b)
      print_text(p, ", ");
    print_expr(p, a, L_ASSIGN);
  }
  print_text(p, ")");
}

void print_value_type(Printer *p, Node *e, const char *name) {
  print_type(p, type_unqual(p->u, e->type), name, 0);
}

void print_value_at(Printer *p, Node *e) {
  print_text(p, "*(");
  print_type(p, type_pointer(p->u, type_unqual(p->u, e->type)), "", 0);
  print_text(p, ")");
}

const char *await_function(Node *e) {
  return canon(e->a->type)->kind == TY_JOB ? "fm__await_job" : "fm__await";
}

// In an atomic version: the other activities of the atomic run until the task has ended.
static void print_atomic_await(Printer *p, Node *e) {
  bool is_void = type_is_void(e->type);
  print_text(p, "__extension__ ({ fm_domain *fm__d = fm__here(); ");
  if (!is_void) {
    print_value_type(p, e, "fm__v");
    print_text(p, "; ");
  }
  buf_printf(p->out, "fm__atomic_result(fm__d, %s(fm__d, ", await_function(e));
  print_expr(p, e->a, L_ASSIGN);
  print_text(p,
             is_void ? "), 0, 0); })"
                     : "), (void *)&fm__v, sizeof fm__v); fm__v; })");
}

void print_copies(Printer *p, Node *list) {
  for (Node *a = list; a; a = a->next) {
    print_text(p, ", ");
    print_expr(p, a, L_ASSIGN);
  }
}

void print_root(Printer *p, Node *e) {
  if (e->kind == N_ARM) {
    const char *name = e->decl->name->name;
    buf_printf(p->out,
               "__extension__ ({ %s__fm_frame *fm__a = (%s__fm_frame "
               "*)%s__fm_start(fm__c); "
               "fm__a->fm__up = fm__f; &fm__a->fm__h; })",
               name,
               name,
               name);
  } else if (e->kind == N_CALL && (e->flags & NF_ASYNC)) {
    print_call(p, e, GEN_START);
  } else {
    buf_printf(p->out, "fm__job_start(%s, ", domain(p));
    print_expr(p, e, L_ASSIGN);
    print_text(p, ")");
  }
}

static void print_job(Printer *p, Node *e) {
  print_at(p, e->tok, "fm__job_new(");
  if (e->a) {
    print_root(p, e->a);
  } else {
    buf_printf(p->out, "%s__fm_start(%s", e->decl->name->name, domain(p));
    print_copies(p, e->c);
    print_text(p, ")");
  }
  print_text(p, ")");
}

// Prints the place of a spawn: the operand of `in` or `on`.
static void print_place(Printer *p, Node *e) {
  if (e->b)
    print_expr(p, e->b, L_ASSIGN);
  else
    print_text(p, "(fm_activity){0}");
}

// Prints the flags of a spawn: FM_SPAWN_…
static void print_how(Printer *p, unsigned how) {
  // clang-format off
  static const char *const names[] = {
    "NOW",
    "DETACHED",
    "CONTAINED",
    "DROP",
    "IN",
    "ARM",
    "ON",
  };
  // clang-format on
  bool any = false;
  if (!for_readers(p) || !how) {
    print_number(p, "", (long)how, "");
    return;
  }
  for (unsigned i = 0; i < COUNT(names); i++) {
    if (!(how & 1u << i))
      continue;
    buf_printf(p->out, "%sFM_SPAWN_%s", any ? " | " : "", names[i]);
    any = true;
  }
}

// A spawn without `on`, `in` and the like, in an activity.
static void print_plain_spawn(Printer *p, Node *e) {
  print_at(p, e->tok, e->op ? "fm__spawn_dropped(" : "fm__spawn_child(");
  print_text(p, domain(p));
  print_text(p, ", ");
  print_root(p, e->a);
  print_text(p, ")");
}

void print_spawn(Printer *p, Node *e) {
  const char *function = "fm__spawn(";
  if (yielding(p) && (e->op == 0 || e->op == SPAWN_DROP)) {
    print_plain_spawn(p, e);
    return;
  }
  if (e->op & SPAWN_ON)
    function = is_pool(e->b) ? "fm__spawn_in_pool(" : "fm__spawn_on(";
  if (e->op & SPAWN_IN && is_group(e->b))
    function = "fm__spawn_in_group(";
  print_at(p, e->tok, function);
  print_text(p, domain(p));
  print_text(p, ", ");
  print_root(p, e->a);
  print_text(p, ", ");
  print_how(p, e->op);
  print_text(p, ", ");
  print_place(p, e);
  print_text(p, ")");
}

static void print_run(Printer *p, Node *e) {
  bool is_void = type_is_void(e->type);
  bool call = canon(e->a->type)->kind != TY_TASK ||
              (e->a->kind == N_CALL && (e->a->flags & NF_ASYNC));
  print_at(p, e->tok, "__extension__ ({ ");
  if (!is_void) {
    print_value_type(p, e, "fm__v");
    print_text(p, "; ");
  }
  print_text(p, call ? "fm__run(" : "fm__run_task(");
  if (call)
    print_root(p, e->a);
  else
    print_expr(p, e->a, L_ASSIGN);
  print_text(p, is_void ? ", 0" : ", &fm__v");
  if (!call)
    print_text(p, is_void ? ", 0" : ", sizeof fm__v");
  print_text(p, is_void ? "); })" : "); fm__v; })");
}

static void print_atomic_expr(Printer *p, Node *e) {
  bool is_void = type_is_void(e->type);
  print_at(p,
           e->tok,
           "__extension__ ({ fm_domain *fm__d = fm__atomic_enter(); ");
  if (!is_void) {
    print_value_type(p, e, "fm__v");
    print_text(p, " = ");
  }
  print_expr(p, e->a, L_ASSIGN);
  print_text(p,
             is_void ? "; fm__atomic_leave(fm__d); })"
                     : "; fm__atomic_leave(fm__d); fm__v; })");
}

bool yielding(Printer *p) {
  return p->version == V_CALL || p->version == V_RESUME;
}

// S_on_completed(x, completion), and the wait for the completion
static void print_action(Printer *p, Node *e) {
  print_at(p, e->tok, "");
  buf_printf(p->out,
             "__extension__ ({ fm_domain *fm__d = %s; fm_completion *fm__k = "
             "fm__direct_begin(fm__d, &fm__action_code); ",
             domain(p));
  if (e->c) {
    buf_printf(p->out,
               "fm__on_cancel(fm__k, (void (*)(void *))(void (*)(void))%s, ",
               e->c->name->name);
    print_expr(p, e->b, L_ASSIGN);
    print_text(p, "); ");
  }
  buf_printf(p->out, "%s(", e->name->name);
  print_expr(p, e->b, L_ASSIGN);
  print_text(p, ", (fm_action *)fm__k); (void)fm__direct_end(fm__d, fm__k); ");
  if (!yielding(p))
    print_text(p,
               "if (fm__stopped(fm__d) && fm__below(fm__d) == FM_PAUSED) "
               "fm__atomic_pump(fm__d); fm__done(fm__d); ");
  print_text(p, "})");
}

// fm_complete(k, v), fm_fail(k, error)
static void print_completion(Printer *p, Node *e) {
  bool fails = e->op == COMPLETE_BY_FAIL;
  print_at(p, e->tok, "__extension__ ({ fm_completion *fm__k = ");
  print_expr(p, e->a, L_ASSIGN);
  print_text(p, "; ");
  if (e->b) {
    print_type(p,
               type_unqual(p->u, fails ? e->b->type : (Type *)e->object),
               "fm__v",
               0);
    print_text(p, " = ");
    print_expr(p, e->b, L_ASSIGN);
    print_text(p, "; ");
  }
  print_text(p, fails ? "fm__fail(fm__k" : "fm__complete(fm__k");
  print_text(p, e->b ? ", &fm__v, sizeof fm__v" : ", 0, 0");
  if (fails) {
    buf_printf(p->out, ", \"%s\", ", error_type_name(e->b->type));
    print_file_name(p, e->tok);
    print_number(p, ", ", (long)tok_at(p->u, e->tok)->line, "");
  }
  print_text(p, "); })");
}

void print_rt(Printer *p, Node *e) {
  if (e->op == RT_ACTION) {
    print_action(p, e);
    return;
  }
  if (e->op == RT_SHIELD && !yielding(p)) {
    print_at(p, e->tok, "(void)0");
    return;
  }
  bool list = e->op == RT_TASKS;
  bool domain_first = e->op == RT_DOMAIN || e->op == RT_SHIELD;
  print_at(p, e->tok, e->name->name);
  print_text(p, list ? "{" : "(");
  if (domain_first)
    print_text(p, yielding(p) ? "fm__c" : "0");
  for (Node *a = e->b; a; a = a->next) {
    if (domain_first || a != e->b)
      print_text(p, ", ");
    print_expr(p, a, L_ASSIGN);
  }
  print_text(p, list ? "}" : ")");
}

void print_async_expr(Printer *p, Node *e) {
  bool pauses =
      ((e->kind == N_CALL && (e->flags & NF_ASYNC)) || e->kind == N_AWAIT) &&
      !(e->flags & NF_ATOMIC);
  // a bug of fmcc: an undeclared name makes the C compiler refuse the text
  if (pauses && !p->unevaluated &&
      (p->version == V_CALL || p->version == V_RESUME)) {
    print_at(p, e->tok, "fm__error_a_pause_was_not_lowered");
    return;
  }
  switch (e->kind) {
  case N_CALL:
    if (e->flags & NF_ASYNC)
      print_call(p, e, GEN_ATOMIC);
    else
      print_expr(p, e, L_POSTFIX);
    break;
  case N_RT:
    print_rt(p, e);
    break;
  case N_COMPLETE:
    print_completion(p, e);
    break;
  case N_AWAIT:
    print_atomic_await(p, e);
    break;
  case N_SPAWN:
    print_spawn(p, e);
    break;
  case N_JOB:
    print_job(p, e);
    break;
  case N_RUN:
    print_run(p, e);
    break;
  case N_ATOMIC_EXPR:
    print_atomic_expr(p, e);
    break;
  default:
    print_at(p, e->tok, e->name->name);
    break;
  }
}

// ---- declarations ----
// The version being printed declares the variable here, as the source does.
static bool in_place(Printer *p, Decl *d) {
  Local *k = d->sym ? d->sym->local : NULL;
  if (!k || p->version == V_ATOMIC || p->version == V_PLAIN)
    return true;
  return p->version == V_CALL ? !k->resident : k->placed;
}

// Returns the variable's name in the version being printed.
static const char *declared_name(Printer *p, Decl *d) {
  Local *k = d->sym ? d->sym->local : NULL;
  if (!k || (p->version != V_CALL && p->version != V_RESUME))
    return d->name->name;
  return p->version == V_CALL ? call_name(k) : k->name;
}

// Prints the variable, as an lvalue.
static void print_name(Printer *p, Decl *d) {
  Local *k = d->sym->local;
  if (in_place(p, d)) { // declared before its value (Decl.ahead)
    print_at(p, d->tok, declared_name(p, d));
    return;
  }
  if (k->resident && type_is_vm(k->sym->type)) {
    print_vm_variable(p, k, "fm__f->");
    return;
  }
  print_at(p, d->tok, k->resident ? "fm__f->" : "");
  buf_puts(p->out, k->name);
}

// Prints an assignment of the initial value to a variable that is declared elsewhere.
static void print_set(Printer *p, Decl *d) {
  Type *t = type_unqual(p->u, d->sym->type);
  bool list = d->init->kind == N_INIT_LIST;
  bool fixed = type_has_const_member(t);
  bool array = canon(t)->kind == TY_ARRAY || (fixed && list);
  if (fixed && !list) { // C cannot assign to it
    print_text(p, "{ ");
    print_type(p, t, "fm__i", 0);
    print_text(p, " = ");
    print_expr(p, d->init, L_ASSIGN);
    print_text(p, "; __builtin_memcpy((void *)&");
    print_name(p, d);
    print_text(p, ", &fm__i, sizeof fm__i); }");
    return;
  }
  if (array) {
    print_text(p,
               fixed ? "__builtin_memcpy((void *)&"
                     : "__builtin_memcpy((void *)");
    print_name(p, d);
    print_text(p, fixed ? ", &(" : ", (const void *)(");
  } else {
    print_name(p, d);
    print_text(p, list ? " = (" : " = ");
  }
  if (array || list) {
    print_type(p, t, "", 0);
    print_text(p, ")");
    if (!list)
      print_text(p, "{");
  }
  print_initializer(p, d->init);
  if (array && !list)
    print_text(p, "}");
  if (array) {
    print_text(p, ", sizeof ");
    print_name(p, d);
    print_text(p, ")");
  }
  print_text(p, ";");
}

// Prints a declaration with one declarator.
static void print_one(Printer *p, Decl *d) {
  print_specs(p, d->specs);
  print_text(p, " ");
  Type *async = d->specs->is_async ? async_target(d->written) : NULL;
  const char *name = declared_name(p, d);
  print_range(p, d->pre);
  print_declarator(p, d->written, async ? async : d->specs->base, name, d->tok);
  print_text(p, " ");
  print_range(p, d->post);
  // a hoisted declaration uses its type
  bool used = d->sym && d->sym->local && d->sym->local->mentioned;
  // a warning would show the generated name
  if (used || name != d->name->name)
    print_text(p, "__attribute__((unused)) ");
  if (d->init) {
    print_text(p, "= ");
    print_initializer(p, d->init);
  } else if (d->sym && d->sym->local && d->sym->local->zeroed &&
             !type_is_vm(d->type) && !d->passed_by) {
    print_text(p, "= ");
    print_text(p, type_zero(d->type));
  }
  print_text(p, ";");
}

// Declares a variable without its value, which is assigned later; so it is not const.
static void print_ahead(Printer *p, Decl *d) {
  Type *t = d->sym->type;
  if (type_is_vm(t) ||
      (canon(t)->kind != TY_ARRAY && type_unqual(p->u, t) == t)) {
    print_one(p, d);
    return;
  }
  print_type(p, type_unqual(p->u, t), declared_name(p, d), 0);
  print_text(p, ";");
}

bool print_async_decl(Printer *p, Node *s) {
  bool any = false;
  for (Decl *d = s->decl; d; d = d->next) {
    // hoisted: a tag, a typedef or a static object
    if (!d->name)
      continue;
    if (d->sym && d->sym->emitted)
      continue;
    bool vm = !in_place(p, d) && !d->ahead && type_is_vm(d->sym->type);
    if (vm)
      print_vm_declaration(p, d->sym->local);
    bool here = in_place(p, d) && !d->ahead;
    if (here && d->names_itself && !d->init)
      print_ahead(p, d);
    else if (here)
      print_one(p, d);
    else if (d->init)
      print_set(p, d);
    any |= here || d->init || vm;
    if (d->next)
      print_text(p, " ");
  }
  if (!any)
    print_text(p, ";");
  return true;
}
