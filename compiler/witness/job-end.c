// job-end.c: -Wreturn-type for the bodies of jobs. In the witness such a body is a statement
// expression, whose end means nothing to the C compiler. So each body that returns a value stands
// after its function once more, as a function of its own that has nothing but the ways through it.
//
//     job (n) { if (n > 3) return n; log(n); }
//
// becomes
//
//     int f__job1(void) { if (fm__w_maybe()) { return 0; } }
//
// Its name, the last brace and each `return;` are at the user's places, and may draw a message.
#include "fmcc.h"

typedef struct Span {
  int64_t first;
  int64_t last;
} Span;

typedef struct Ways {
  Unit *u;
  TokIndex after; // the end of the function around
  Buf text;       // that has not been marked yet
  bool unknown; // there are ways that nobody knows: nothing is said of the body
  bool has_default; // of the innermost switch
  bool by_value;    // its cases have the values of the source
  Vec cases;        // its cases: their constants, a Span each
} Ways;

static void statement(Ways *w, Node *n);

static void put(Ways *w, const char *text) {
  buf_puts(&w->text, text);
}

// what has been put up to here
static void mark_text(Ways *w) {
  if (w->text.len)
    witness_mark(w->u,
                 (Mark){
                     .tok = w->after,
                     .where = MARK_AFTER,
                     .text = take_text(w->u, &w->text),
                 });
  w->text = (Buf){ 0 };
}

static void put_at(Ways *w, TokIndex at, const char *text) {
  mark_text(w);
  witness_mark(w->u,
               (Mark){
                   .tok = w->after,
                   .at = at,
                   .where = MARK_AFTER,
                   .loud = true,
                   .text = text,
               });
}

// ---- expressions: calls that do not return ----
static const char *truth_of(const Node *e) {
  if (!(e->flags & NF_CONST))
    return "fm__w_maybe()";
  return e->val ? "1" : "0";
}

static void expression(Ways *w, Node *e);

static void choice(Ways *w, const char *when, Node *yes, Node *no) {
  buf_printf(&w->text, "if (%s) {", when);
  expression(w, yes);
  put(w, "} else {");
  expression(w, no);
  put(w, "}");
}

static void parts(Ways *w, Node *e) {
  Children c = children(e, PART_VALUE);
  for (Node *k; (k = next_child(&c));)
    expression(w, k);
}

static void expression(Ways *w, Node *e) {
  if (!e || e->kind == N_SPAWN || e->kind == N_JOB)
    return;
  if (e->kind == N_STMT_EXPR) {
    statement(w, e->a);
  } else if (e->kind == N_COND) {
    expression(w, e->a);
    choice(w, truth_of(e->a), e->b, e->c);
  } else if (e->kind == N_BINARY && e->op == P_ANDAND) {
    expression(w, e->a);
    choice(w, truth_of(e->a), e->b, NULL);
  } else if (e->kind == N_BINARY && e->op == P_OROR) {
    expression(w, e->a);
    choice(w, truth_of(e->a), NULL, e->b);
  } else {
    parts(w, e);
    if (e->kind == N_CALL && never_returns(e))
      put(w, "fm__w_end();");
  }
}

// ---- statements ----
static void list(Ways *w, Node *first) {
  for (Node *k = first; k; k = k->next)
    statement(w, k);
}

static void block(Ways *w, const char *head, Node *n) {
  put(w, head);
  put(w, "{");
  if (n)
    statement(w, n);
  put(w, "}");
}

static void loop(Ways *w, const Node *condition, Node *body) {
  buf_printf(&w->text, "for (; %s;)", condition ? truth_of(condition) : "1");
  block(w, "", body);
}

// clang knows whether a switch names every enumerator.
static const char *operand(Ways *w, const Node *n) {
  Type *t = canon(n->a->type);
  Tag *g = t->kind == TY_ENUM && w->u->opt.clang ? t->tag : NULL;
  w->by_value = g && g->name && !g->local;
  // an enumeration that cannot be named here: in doubt nothing is said
  w->has_default = g && !w->by_value;
  return w->by_value ? arena_printf(&w->u->arena,
                                    "switch ((enum %s)fm__w_arm()) {",
                                    g->name->name)
                     : "switch (fm__w_arm()) {";
}

static void switch_ways(Ways *w, Node *n) {
  Ways outer = *w;
  w->cases = (Vec){ 0 };
  expression(w, n->a);
  put(w, operand(w, n));
  bool closed = w->has_default;
  w->has_default = false;
  statement(w, n->b);
  put(w, closed && !w->has_default ? "default: fm__w_end(); }" : "}");
  vec_free(&w->cases);
  w->cases = outer.cases;
  w->has_default = outer.has_default;
  w->by_value = outer.by_value;
}

// A value that comes twice is an error, of which the body itself has drawn the message.
static void case_ways(Ways *w, Node *n) {
  bool known = w->by_value && (n->a->flags & NF_CONST);
  bool range = known && n->b && (n->b->flags & NF_CONST);
  Span *span = NEW(&w->u->arena, Span);
  span->first = known ? n->a->val : (int64_t)w->cases.len;
  span->last = range ? n->b->val : span->first;
  bool again = false;
  for (size_t i = 0; i < w->cases.len; i++) {
    const Span *other = w->cases.at[i];
    again |= span->first <= other->last && other->first <= span->last;
  }
  vec_push(&w->cases, span);
  if (!again)
    buf_printf(&w->text,
               "case %lld ... %lld:;",
               (long long)span->first,
               (long long)span->last);
  statement(w, n->c);
}

static void try_ways(Ways *w, Node *n) {
  block(w, "if (fm__w_maybe())", n->a);
  for (Node *k = n->b; k; k = k->next)
    block(w, "else if (fm__w_maybe())", k->a);
  put(w, "else fm__w_end();");
  if (n->c)
    statement(w, n->c);
}

static void scope_ways(Ways *w, Node *n) {
  if (n->b)
    put(w, "if (fm__w_maybe())");
  block(w, "", n->a);
  if (n->b)
    block(w, "else", n->b);
}

static void race_ways(Ways *w, Node *n) {
  put(w, "switch (fm__w_arm()) {");
  int number = 0;
  for (Node *k = n->b; k; k = k->next) {
    const Node *arm = k->kind == N_FOR ? k->d : k;
    if (number)
      buf_printf(&w->text, "case %d: {", number);
    else
      put(w, "default: {");
    number++;
    list(w, arm->c);
    put(w, "break; }");
  }
  put(w, "}");
}

static void jump(Ways *w, Node *n) {
  switch (n->kind) {
  case N_BREAK:
    put(w, "break;");
    return;
  case N_CONTINUE:
    put(w, "continue;");
    return;
  case N_GOTO:
    buf_printf(&w->text, "goto %s;", n->name->name);
    return;
  case N_RETURN:
    expression(w, n->a);
    if (n->a)
      put(w, "return 0;");
    else
      put_at(w, n->tok, "return;");
    return;
  case N_THROW:
    expression(w, n->a);
    put(w, "fm__w_end();");
    return;
  default:
    w->unknown = true;
  }
}

static void labelled(Ways *w, Node *n) {
  if (n->kind == N_CASE) {
    case_ways(w, n);
    return;
  }
  if (n->kind == N_DEFAULT) {
    if (!w->has_default)
      put(w, "default:;");
    w->has_default = true;
  } else {
    buf_printf(&w->text, "%s: __attribute__((unused));", n->name->name);
  }
  statement(w, n->c);
}

static void if_ways(Ways *w, Node *n) {
  expression(w, n->a);
  buf_printf(&w->text, "if (%s)", truth_of(n->a));
  block(w, "", n->b);
  if (n->c)
    block(w, "else", n->c);
}

static void loop_ways(Ways *w, Node *n) {
  if (n->kind == N_FOR) {
    put(w, "{");
    if (n->a)
      statement(w, n->a);
    loop(w, n->b, n->d);
    put(w, "}");
  } else if (n->kind == N_WHILE) {
    expression(w, n->a);
    loop(w, n->a, n->b);
  } else {
    block(w, "do", n->b);
    buf_printf(&w->text, "while (%s);", truth_of(n->a));
  }
}

static void values_of(Ways *w, Node *n) {
  Children c = children(n, PART_VALUE);
  for (Node *k; (k = next_child(&c));)
    expression(w, k);
}

static void nothing(Ways *w, Node *n) {
  (void)w;
  (void)n;
}

static void inner(Ways *w, Node *n) {
  statement(w, n->a);
}

static void compound(Ways *w, Node *n) {
  put(w, "{");
  list(w, n->a);
  put(w, "}");
}

// clang-format off
static void (*const ways_of[N_PART + 1])(Ways *, Node *) = {
  [N_COMPOUND] = compound,
  [N_EXPR] = values_of,
  [N_DECL] = values_of,
  [N_IF] = if_ways,
  [N_WHILE] = loop_ways,
  [N_DO] = loop_ways,
  [N_FOR] = loop_ways,
  [N_SWITCH] = switch_ways,
  [N_CASE] = labelled,
  [N_DEFAULT] = labelled,
  [N_LABEL] = labelled,
  [N_ASM] = values_of,
  [N_EMPTY] = nothing,
  [N_NESTED_FUNC] = nothing,
  [N_STATIC_ASSERT] = nothing,
  [N_YIELD] = nothing,
  [N_ATOMIC] = inner,
  [N_SHIELD] = inner,
  [N_ACTIVATE] = nothing,
  [N_DEFER] = nothing,
  [N_TRY] = try_ways,
  [N_SCOPE] = scope_ways,
  [N_RACE] = race_ways,
};
// clang-format on

static void statement(Ways *w, Node *n) {
  if (n)
    (ways_of[n->kind] ? ways_of[n->kind] : jump)(w, n);
}

void witness_job_end(Unit *u, const Async *a, TokIndex after) {
  Type *result = canon(a->decl->type)->base;
  bool job = a->boundary && !a->function && a->tree && !type_is_void(result);
  if (!job || !u->opt.witness || u->errors)
    return;
  Ways w = { .u = u, .after = after };
  size_t first = u->marks.len;
  put(&w, " static __attribute__((used)) int");
  // clang looks only at functions whose names are the user's
  put_at(&w, a->decl->tok, a->decl->name->name);
  put(&w, "(void) {");
  list(&w, a->tree->a);
  put_at(&w, a->tree->end, "}");
  if (w.unknown)
    u->marks.len = first;
}
