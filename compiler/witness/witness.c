// witness.c: the witness: the unit as plain C, for the C compiler's diagnostics.
//
//     async int f(int n) { auto t = spawn g(n); yield; return await t; }
//
// becomes, for its warnings and errors alone,
//
//     int f(int n) {
//       __auto_type t = (fm__w_maybe() ? (void)g(n) : (void)0, fm__w_task());
//       fm__w_yield();
//       return ((int (*)(int, ...))fm__w_any)(0, t);
//     }
//
// Every token of the user's stands at the line and column where the user wrote it (place.c), so the
// compiler's messages about this text need no change. The text of the real functions is compiled
// without warnings (driver.c).
//
// The parser marks tokens that are left out or replaced, and text before or after a token. Text of
// ours stands on lines marked as a system header's, so that the compiler does not warn about it. If
// the text begins an expression that the compiler may report (`await t` of a wrong type), it stands
// at the place of the keyword (loud).
//
// The order of events: code that runs elsewhere or later (spawn, activate, job, defer) may run or
// not run. So nothing after it is unreachable, and no effect of it is certain. The address of a
// variable that such a body shares goes to an unknown function first: so it may have any value.
#include "fmcc.h"

static bool wanted(Unit *u) {
  return u->opt.witness && !u->errors;
}

#define TEXT(...) arena_printf(&u->arena, __VA_ARGS__)

// The type, spelled as the body around can write it. NULL: it cannot; the unit has no witness.
static const char *type_there(Unit *u, Type *t, const char *name) {
  Buf b = { 0 };
  Printer p = text_printer(u, &b);
  p.spell = true;
  p.erased = true;
  print_type(&p, t, name, 0);
  const char *s = take_text(u, &b);
  if (!p.unspeakable)
    return s;
  u->no_witness = true;
  return NULL;
}

// ---- expressions ----
// await and run of a task, a job, an object.
void witness_await(Unit *u, Node *n) {
  if (!wanted(u))
    return;
  Symbol **f = n->object;
  Type *f_type = type_new(u, TY_FUNC, type_unqual(u, n->type));
  f_type->variadic = true;
  f_type->params = NEW(&u->arena, Param);
  f_type->params->type = type_scalar(u, TY_INT);
  const char *type = type_there(u, f_type, "(*)");
  const char *used = "";
  for (int i = 0; f && i < 4; i++)
    if (f[i])
      used = TEXT("%s, %s", used, f[i]->name->name);
  if (!type)
    return;
  witness_loud(u, n->tok, TEXT("((%s)fm__w_any)(0,", type));
  witness_after(u, u->p - 1, TEXT("%s)", used));
}

void witness_drop(Unit *u, TokIndex t) {
  witness_instead(u, t, t + 1, "");
}

// `spawn words f(x)`, `job f(x)`: the words have been marked; operand: the first token of the call;
// result: C text for the value of the expression.
void witness_begin(Unit *u,
                   TokIndex keyword,
                   TokIndex operand,
                   const char *result) {
  witness_instead(u, keyword, keyword + 1, "(");
  witness_before(u, operand, "fm__w_maybe() ? (void)");
  witness_after(u, u->p - 1, TEXT(" : (void)0, %s)", result));
}

// in (x), on (x): after the parenthesis
void witness_place(Unit *u, TokIndex word) {
  witness_instead(u, word, word + 1, "(void)");
  witness_after(u, u->p - 1, ",");
}

// fm_complete(k, v)
void witness_completed(Unit *u, TokIndex from, TokIndex to, Type *t) {
  const char *type = wanted(u) ? type_there(u, t, "fm__v") : NULL;
  if (!type)
    return;
  witness_before(u, from, TEXT("({ %s =", type));
  witness_after(u, to, "; fm__v; })");
}

// With gcc, a statement expression has no value if an array of variable length is declared in it
// after a label, even if the label stands in an inner block. Labels of ours must not have that
// effect. n: `({ … last; })`; first: the number of marks before it.
void witness_value(Unit *u, const Node *n, const Node *last, size_t first) {
  if (!wanted(u) || u->opt.clang || u->marks.len == first ||
      !declares_vm(n->a->a))
    return;
  Type *t = type_unqual(u, n->type);
  const char *type = type_there(u, t, "fm__v");
  if (!type)
    return;
  if (type_has_const_member(t)) {
    u->no_witness = true;
    return;
  }
  bool comma = last->a->kind == N_BINARY && last->a->op == P_COMMA;
  witness_after(u, n->a->tok, TEXT("%s; {", type));
  witness_before(u, last->tok, comma ? "fm__v = (" : "fm__v =");
  if (comma)
    witness_before(u, last->end, ")");
  witness_before(u, n->a->end, "} fm__v;");
}

// ---- statements ----
void witness_yield(Unit *u, TokIndex t) {
  witness_instead(u, t, t + 1, "fm__w_yield()");
}

void witness_throw(Unit *u, Node *n) {
  witness_instead(u,
                  n->tok,
                  n->tok + 1,
                  n->a ? "fm__w_throw(0," : "fm__w_throw(0");
  witness_before(u, n->end, ")");
}

// A `defer` runs at the end of its block. A variable that gets its value after the `defer` has that
// value then.
static bool set_after(Unit *u, TokIndex t, const Ident *name) {
  int depth = 0;
  for (; depth >= 0 && kind_at(u, t) != T_EOF; t++) {
    TokenKind k = kind_at(u, t);
    TokenKind next = kind_at(u, t + 1);
    TokenKind before = kind_at(u, t - 1);
    depth += (k == P_LBRACE) - (k == P_RBRACE);
    if (k != T_IDENT || tok_at(u, t)->id != name || before == P_DOT ||
        before == P_ARROW)
      continue;
    if (next == P_ASSIGN || before == P_AMP || next == P_DOT ||
        next == P_LBRACKET)
      return true;
  }
  return false;
}

static bool may_be_set(const Symbol *s) {
  bool automatic = s && s->kind == S_VAR && s->depth > 0 && !s->is_param &&
                   (s->storage == ST_NONE || s->storage == ST_AUTO);
  if (!automatic || type_is_vm(s->type) || type_has_const_member(s->type))
    return false;
  Type *t = canon(s->type);
  while (t->kind == TY_ARRAY)
    t = canon(t->base);
  return !(t->quals & Q_CONST);
}

static const char *set_there(Unit *u, TokIndex from, TokIndex to) {
  const char *list = "";
  for (TokIndex t = from; t < to; t++) {
    Ident *name = kind_at(u, t) == T_IDENT ? tok_at(u, t)->id : NULL;
    if (name && may_be_set(name->sym) && set_after(u, to, name))
      list = TEXT("%s __asm__(\"\" : \"=m\"(%s));", list, name->name);
  }
  return list;
}

void witness_defer(Unit *u, Node *n) {
  if (!wanted(u))
    return;
  witness_instead(u,
                  n->tok,
                  n->tok + 1,
                  TEXT("{ if (fm__w_maybe()) {%s",
                       set_there(u, n->tok + 1, n->end + 1)));
  witness_after(u, n->end, "fm__w_end(); } }");
}

// other: the token `else`, or 0.
void witness_scope(Unit *u, Node *n, TokIndex body, TokIndex other) {
  bool named = n->decl != NULL;
  witness_instead(u, n->tok, n->tok + 1, named ? "{ fm_activity" : "{");
  if (named)
    witness_drop(u, n->tok + 1);
  if (named)
    witness_instead(u,
                    n->tok + 3,
                    n->tok + 4,
                    "__attribute__((unused)) = fm__w_scope();");
  if (other) {
    witness_before(u, body, "if (fm__w_maybe()) {");
    witness_instead(u, other, other + 1, "} else {");
  }
  witness_after(u, n->end, other ? "} }" : "}");
}

// A statement in a try that may throw: control may go to the catch before it.
void witness_may_throw(Unit *u, TokIndex first, bool declares) {
  Try *t = u->body->tries;
  while (t && t->scope)
    t = t->outer;
  if (!wanted(u) || !t || (tok_at(u, first)->flags & TF_SYSTEM))
    return;
  if (!t->witness)
    t->witness = ++u->nwitness;
  switch (kind_at(u, first)) {
  case K_CASE:
  case K_DEFAULT:
  case K_ATTRIBUTE:
  case P_LBRACKET:
  case K_LABEL:
    return;
  case T_IDENT:
    if (kind_at(u, first + 1) == P_COLON)
      return;
    break;
  default:
    break;
  }
  const char *jump = TEXT("if (fm__w_maybe()) goto fm__w%d;", t->witness);
  if (declares)
    jump = TEXT("int fm__g%d __attribute__((unused)) = ({ %s 0; });",
                ++u->nwitness,
                jump);
  witness_mark(u,
               (Mark){
                   .tok = first,
                   .where = MARK_BEFORE,
                   .outside = true,
                   .text = jump,
               });
}

// A clause whose name and block are written; open, close: the parentheses
static void
clause(Unit *u, Node *n, const char *begin, TokIndex open, TokIndex close) {
  const Decl *d = n->decl;
  const char *name = d->name ? d->name->name : "fm__e";
  witness_instead(u, n->tok, open, begin);
  witness_drop(u, open);
  if (!d->name)
    witness_before(u, close, name);
  witness_instead(u,
                  close,
                  close + 1,
                  TEXT("; fm__w_share(0, (void *)&%s);", name));
  witness_after(u, n->end, "}");
}

void witness_catch(Unit *u, Node *n, bool first, TokIndex close) {
  clause(u,
         n,
         first ? "if (fm__w_maybe()) {" : "else if (fm__w_maybe()) {",
         n->tok + 1,
         close);
}

void witness_catch_each(Unit *u, Node *n, TokIndex close) {
  clause(u, n, "if (fm__w_maybe()) {", n->tok + 2, close);
}

// A block with a label of ours, or without one (0). The label is local to its block, because gcc
// walks over all labels of the function at the end of each block.
static const char *block_with(Unit *u, int label) {
  return label ? TEXT("{ __label__ fm__w%d;", label) : "{";
}

// finally: the token, or 0.
void witness_try(Unit *u,
                 Node *n,
                 const Try *t,
                 TokIndex body_end,
                 TokIndex catches_end,
                 TokIndex finally) {
  if (!wanted(u))
    return;
  witness_instead(u, n->tok, n->tok + 1, block_with(u, t->witness));
  if (t->witness)
    witness_after(u,
                  body_end,
                  TEXT(" if (0) { fm__w%d: __attribute__((unused));",
                       t->witness));
  else if (n->b)
    witness_after(u, body_end, " if (fm__w_maybe()) {");
  if (t->witness || n->b)
    witness_after(u,
                  catches_end,
                  n->b ? " else fm__w_end(); }" : " fm__w_end(); }");
  if (finally)
    witness_drop(u, finally);
  witness_after(u, n->end, "}");
}

// ---- bodies inside functions ----
static const char *shared_with(Unit *u, const Async *a) {
  const char *list = "";
  FOR_EACH (const Symbol, s, a->shares) {
    if (s->storage != ST_REGISTER)
      list = TEXT("%s, (void *)&%s", list, s->name->name);
  }
  return *list ? TEXT("fm__w_share(0%s);", list) : "";
}

// s: a variable of the function around the body.
void witness_shares(Async *a, Symbol *s) {
  for (size_t i = 0; i < a->shares.len; i++)
    if (a->shares.at[i] == s)
      return;
  vec_push(&a->shares, s);
}

// A body has labels of its own. They are declared with `__label__` only if the function has a label
// of the same name elsewhere: clang reports no unused label that is declared.
static bool label_is_twice(Unit *u, const Ident *name) {
  int times = 0;
  for (size_t i = 0; i < u->body->whole->labels.len; i++)
    times += u->body->whole->labels.at[i] == name;
  return times > 1;
}

// Called when the whole function has been read.
void witness_function(Unit *u) {
  FOR_EACH (const Async, a, u->body->whole->bodies) {
    witness_job_end(u, a, u->p - 1);
    const char *list = "";
    for (size_t k = 0; k < a->labels.len && !a->own_labels; k++) {
      const Ident *name = a->labels.at[k];
      if (label_is_twice(u, name))
        list = TEXT("%s%s%s", list, *list ? ", " : "__label__ ", name->name);
    }
    if (*list)
      (a->each ? witness_before
               : witness_after)(u, a->opens, TEXT("%s;", list));
  }
  u->body->whole->bodies.len = u->body->whole->labels.len = 0;
}

static void note_labels(Unit *u, Async *a, TokIndex body) {
  a->opens = body;
  vec_push(&u->body->whole->bodies, a);
}

// The type of q, which is that of the variable `of`, as a declaration of `name`. That of a pointer
// to an async function is none that C can spell.
static const char *
copied_type(Unit *u, const Param *q, const char *of, const char *name) {
  Type *t = canon(q->type);
  Type *f = t->kind == TY_POINTER ? canon(t->base) : NULL;
  if (f && f->kind == TY_FUNC && f->is_async)
    return TEXT("__typeof__(&*%s) %s", of, name);
  return type_there(u, q->type, name);
}

// Copies (x, y). They need second names: in `T x = x;` both are the new variable.
static const char *
copies_there(Unit *u, Node *names, const Param *q, const char **second) {
  const char *first = *second = "";
  for (Node *c = names; c && q; c = c->next, q = q->next) {
    const char *name = q->name->name;
    int k = ++u->nwitness;
    if (q->copied && type_is_vm(q->copied)) {
      *second = TEXT(
          "%s __typeof__(%s) fm__c%d; (void)fm__c%d;", *second, name, k, k);
    } else if (q->copied) {
      const char *type = type_there(u, q->copied, TEXT("fm__c%d", k));
      const char *again = type_there(u, q->copied, name);
      if (!type)
        return first;
      first = TEXT("%s %s; fm__w_share(0, (void *)&fm__c%d, (void *)%s);",
                   first,
                   type,
                   k,
                   name);
      *second = TEXT("%s %s; fm__w_share(0, (void *)&%s, (void *)fm__c%d);",
                     *second,
                     again,
                     name,
                     k);
    } else {
      const char *type = copied_type(u, q, name, TEXT("fm__c%d", k));
      const char *again = copied_type(u, q, TEXT("fm__c%d", k), name);
      if (!type)
        return first;
      first = TEXT("%s %s = %s;", first, type, name);
      *second =
          TEXT("%s %s __attribute__((unused)) = fm__c%d;", *second, again, k);
    }
  }
  return first;
}

// activate [ &id ] ( names ) { body }
void witness_activate(Unit *u,
                      Node *n,
                      Async *a,
                      TokIndex bracket,
                      TokIndex copies,
                      TokIndex body) {
  if (!wanted(u))
    return;
  const char *second;
  const char *first = copies_there(u, n->c, a->type->params, &second);
  witness_instead(u, n->tok, n->tok + 1, block_with(u, a->witness));
  if (bracket) {
    witness_instead(u, n->tok + 1, n->tok + 2, "*(");
    witness_instead(u, bracket, bracket + 1, ") = fm_self();");
  }
  if (copies < body)
    witness_instead(u, copies, body, "");
  witness_before(
      u,
      body,
      TEXT("%s%s if (fm__w_maybe()) {%s", shared_with(u, a), first, second));
  note_labels(u, a, body);
  witness_after(u,
                n->end,
                a->witness
                    ? TEXT("fm__w%d: __attribute__((unused)); } }", a->witness)
                    : "} }");
}

static const char *label_at_end(Unit *u, const Async *a) {
  return a->witness ? TEXT("fm__w%d: __attribute__((unused));", a->witness)
                    : "";
}

// All clauses `catch each` of a scope.
void witness_each(Unit *u, const Node *n, Async *a) {
  if (!wanted(u))
    return;
  witness_mark(
      u,
      (Mark){
          .tok = n->tok,
          .where = MARK_BEFORE,
          .outside = true,
          .text = TEXT("%s %s {", block_with(u, a->witness), shared_with(u, a)),
      });
  note_labels(u, a, n->tok);
  witness_after(u, n->end, TEXT("} %s }", label_at_end(u, a)));
}

static const char *leaves(Unit *u, Async *a) {
  if (!a->witness)
    a->witness = ++u->nwitness;
  return TEXT("goto fm__w%d", a->witness);
}

// The text before `e` of `return e;`. An initialisation would not do: clang points at the variable,
// which is in our text, and reports nothing there. For an argument it points at the argument.
static const char *takes_result(Unit *u, Type *t, bool infers) {
  if (type_is_void(t))
    return "";
  if (infers)
    return "__auto_type fm__r =";
  if (!u->opt.clang)
    return type_there(u, t, "fm__r =");
  Type *f = type_new(u, TY_FUNC, type_scalar(u, TY_VOID));
  f->params = NEW(&u->arena, Param);
  f->params->type = type_unqual(u, t);
  const char *type = type_there(u, f, "(*)");
  return type ? TEXT("((%s)fm__w_any)(", type) : NULL;
}

// `return;` and `return e;` in a body that runs as an activity.
void witness_return(Unit *u, Node *n, bool infers) {
  Async *a = u->body->async;
  if (!wanted(u) || !a || (!a->up && !a->boundary))
    return;
  const char *jump = leaves(u, a);
  if (!n->a) {
    witness_instead(u, n->tok, n->tok + 1, jump);
    return;
  }
  Type *t = canon(u->body->func->type)->base;
  const char *begin = takes_result(u, t, infers);
  if (!begin)
    return;
  bool comma = n->a->kind == N_BINARY && n->a->op == P_COMMA;
  bool argument = *begin == '(';
  witness_instead(u,
                  n->tok,
                  n->tok + 1,
                  TEXT("{ %s%s", begin, comma ? "(" : ""));
  if (comma || argument)
    witness_before(u, n->end, comma && argument ? "))" : ")");
  bool named = *begin && !argument;
  witness_after(u,
                n->end,
                TEXT("%s%s; }",
                     named ? "fm__w_share(0, (void *)&fm__r); " : "",
                     jump));
}

// job ( names ) { body }
void witness_job(Unit *u, Node *n, Async *a, TokIndex body) {
  if (!wanted(u))
    return;
  const char *second;
  const char *first = copies_there(u, n->c, a->type->params, &second);
  witness_instead(u, n->tok, body, "");
  witness_before(u,
                 n->tok,
                 TEXT("(%s%s if (fm__w_maybe()) {%s",
                      block_with(u, a->witness),
                      first,
                      second));
  note_labels(u, a, body);
  witness_after(u, u->p - 1, TEXT("%s } fm__w_job(); })", label_at_end(u, a)));
}

// __fm_thunk ( parameters ) { body }
void witness_thunk(Unit *u, Node *n, Async *a, TokIndex body) {
  const char *set = "";
  if (!wanted(u))
    return;
  witness_instead(u,
                  n->tok,
                  n->tok + 1,
                  TEXT("(%s if (fm__w_maybe()) {", block_with(u, a->witness)));
  witness_drop(u, n->tok + 1);
  for (Param *q = a->type->params; q; q = q->next) {
    if (q->next)
      witness_instead(u, q->range.to, q->range.to + 1, ";");
    if (q->name)
      set = TEXT("%s, (void *)&%s", set, q->name->name);
    else
      u->no_witness = true;
  }
  if (a->type->params)
    witness_instead(u, body - 1, body, TEXT("; fm__w_share(0%s);", set));
  else
    witness_instead(u, n->tok + 1, body, "");
  note_labels(u, a, body);
  witness_after(u, u->p - 1, TEXT("%s } (void *)0; })", label_at_end(u, a)));
}

// __fm_within(milliseconds, value, late) → ((void)milliseconds, value)
void witness_within(Unit *u, const Node *n, TokIndex late) {
  witness_instead(u, n->tok, n->tok + 2, "((void)");
  witness_instead(u, late, n->end, "");
}

// ---- race ----
void witness_race(Unit *u, TokIndex t) {
  witness_instead(u, t, t + 1, "switch (fm__w_arm())");
}

static const char *arm_label(Unit *u, int number) {
  return number ? TEXT("case %d:", number) : "default:";
}

static TokIndex next_semicolon(Unit *u, TokIndex t) {
  while (kind_at(u, t) != P_SEMI)
    t = kind_at(u, t) == P_LPAREN || kind_at(u, t) == P_LBRACKET ||
                kind_at(u, t) == P_LBRACE
            ? skip_balanced(u, t)
            : t + 1;
  return t;
}

// If the condition of an arm is false, control does not go on there.
#define TAKES_PART "{} else __builtin_unreachable();"

// for ( declaration condition ; step ) → label { declaration if (condition) …; step ;
void witness_loop_of_arms(Unit *u, const Node *n, int number) {
  TokIndex open = n->tok + 1;
  TokIndex close = skip_balanced(u, open) - 1;
  TokIndex first = next_semicolon(u, open + 1);
  TokIndex second = next_semicolon(u, first + 1);
  witness_instead(u, n->tok, open + 1, TEXT("%s {", arm_label(u, number)));
  if (n->b) {
    witness_before(u, first + 1, "if (");
    witness_instead(u, second, second + 1, ") " TAKES_PART);
  }
  witness_instead(u, close, close + 1, ";");
}

// case [ if (condition) ] [ target = ] expr : { statement }. value: the first token of the target
// or the expression; colon: the token `:`.
void witness_arm(Unit *u,
                 const Node *n,
                 int number,
                 const Node *loop,
                 TokIndex value,
                 TokIndex colon) {
  bool is_default = n->op & ARM_DEFAULT;
  bool drops = !n->b && !(n->op & ARM_DECLARES) && !is_default;
  const char *begins = drops ? "(void)(" : ""; // drops a value that is not used
  const char *label = loop ? "" : arm_label(u, number);
  if (n->d) {
    witness_instead(u, n->tok, n->tok + 1, TEXT("%s {", label));
    witness_before(u, value, TEXT(TAKES_PART " %s", begins));
  } else {
    witness_instead(u, n->tok, n->tok + 1, TEXT("%s { %s", label, begins));
  }
  witness_instead(u,
                  colon,
                  colon + 1,
                  drops        ? "); {"
                  : is_default ? "{"
                               : "; {");
  // gcc reports unused variables at the end of their block, so this text has to be loud.
  witness_mark(
      u,
      (Mark){ .tok = n->end, .where = MARK_AFTER, .loud = true, .text = "}" });
  witness_after(u, n->end, loop ? "break; } }" : "break; }");
}

// ---- asyncdirect ----
// asyncdirect T f(x, fm_completion(T) *k) { body }  →  T f(x); static void f__fm_direct(x,
// fm_completion *k) { body }
void witness_direct(Unit *u, TokIndex from, const Decl *d, bool body) {
  if (!wanted(u))
    return;
  Type *seen = type_new(u, TY_FUNC, canon(d->type)->base);
  *seen = *canon(d->type);
  seen->canon = seen;
  seen->is_async = false;
  const char *type = type_there(u, seen, d->name->name);
  if (!type)
    return;
  if (!body) {
    witness_instead(u, from, u->p - 1, type);
    return;
  }
  witness_instead(u,
                  from,
                  d->specs->range.to,
                  TEXT("%s; static __attribute__((unused)) void", type));
  for (TokIndex t = d->specs->range.to; t < d->tok; t++)
    witness_drop(u, t);
  witness_instead(u, d->tok, d->tok + 1, TEXT("%s__fm_direct", d->name->name));
}

// -Winfinite-recursion must be silent: a tail call of an async function needs no space, and a spawn
// is no call.
void witness_recursion(Unit *u, Range definition, const Ident *name) {
  int times = 0;
  for (TokIndex t = definition.from; t < definition.to; t++)
    times += tok_at(u, t)->id == name;
  if (times < 2)
    return;
  witness_before(u,
                 definition.from,
                 "\n#pragma GCC diagnostic push\n#pragma GCC diagnostic "
                 "ignored \"-Winfinite-recursion\"\n");
  witness_after(u, definition.to - 1, "\n#pragma GCC diagnostic pop\n");
}
