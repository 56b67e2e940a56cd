// lower-expr.c: lowers the expressions of a function. Each pause in an expression becomes a
// statement of its own, N_PAUSE ([temporary =] call), and the rest contains no pause:
//
//     x = f() + g(y);     t1 = f(); t2 = g(y); x = t1 + t2;
//
// The pauses of an expression come first, from left to right. The rest is evaluated after them, so
// that values which can be read later need not be kept across a pause. `&&`, `||`, `?:` and `,`
// become statements if there is a pause after their sequence point. So do statement expressions
// that pause.
#include "lower/lowering.h"

// ---- pauses ----
bool pauses_there(const Node *e) {
  return !(e->flags & NF_ATOMIC) &&
         (e->kind == N_AWAIT || e->kind == N_SPAWN || e->kind == N_RT ||
          (e->kind == N_CALL && (e->flags & NF_ASYNC)));
}

void note_throwing(Lower *L, const Node *call) {
  const Symbol *f = call ? called_symbol(call) : NULL;
  bool itself = f && f == L->a->decl->sym;
  if (!f || !(f->steady || itself))
    L->a->throws_inside = true;
}

// Returns the reason for which the function may leave at the call.
static Why why_of(const Node *call) {
  if (!pauses_there(call))
    return WHY_THROW;
  return call->kind == N_AWAIT ? WHY_AWAIT : WHY_CALL;
}

// Gives an N_PAUSE its two states: val, while the call has not ended, and val + 1, after it, if the
// slice was over then.
static void add_states(Lower *L, Node *pause) {
  pause->val = new_state(L->a, pause->tok, why_of(pause->b));
  if (pause->d)
    L->a->states[pause->val].landing = pause->d->name;
  new_state(L->a, pause->tok, WHY_AFTER);
}

Node *pause_here(Lower *L, Node *dst, Node *call) {
  TokIndex at = first_token(call);
  Node *n = make_node(L, N_PAUSE, at, dst, call);
  if (meets_cancels(L))
    n->flags |= NF_ATOMIC;
  // a quiet callee neither pauses nor throws, so that no state and no way to a handler is needed
  bool quiet = call->flags & NF_ATOMIC && quiet_callee(call) && !n->flags;
  n->d = quiet ? NULL : landing(L, at);
  note_throwing(L, call);
  // the inline version passes errors on by itself (emit/print-pause.c)
  if (n->d && L->a && has_inline_version(call)) {
    L->a->landings--;
    L->a->inlines = true;
  }
  if (!L->plain && !quiet)
    add_states(L, n);
  put_stmt(L, n);
  return n;
}

// Lowers each expression of a list, in place.
static void lower_list(Lower *L, Node **list) {
  for (; *list; list = &(*list)->next) {
    Node *next = (*list)->next;
    Node *e = lower_expr(L, *list);
    if (e != *list) {
      // a shared identifier must not be linked into the list
      Node *copy = NEW(&L->u->arena, Node);
      *copy = *e;
      e = copy;
    }
    e->next = next;
    *list = e;
  }
}

static bool is_async_call(const Node *e) {
  return e && e->kind == N_CALL && (e->flags & NF_ASYNC);
}

static void lower_callee_and_arguments(Lower *L, Node *call) {
  call->a = lower_expr(L, call->a);
  lower_list(L, &call->b);
}

void lower_parts(Lower *L, Node *call) {
  bool starts = call->kind == N_SPAWN || call->kind == N_RUN;
  if (call->kind == N_SPAWN && call->a->kind == N_ARM)
    return;
  bool started = starts && is_async_call(call->a);
  if (started)
    lower_callee_and_arguments(L, call->a);
  else
    call->a = lower_expr(L, call->a);
  if (call->b && (started || call->kind == N_SPAWN))
    call->b = lower_expr(L, call->b);
  if (call->kind == N_CALL)
    lower_list(L, &call->b);
  call->flags &= (uint16_t)~NF_PAUSE;
}

static bool awaits_object(const Node *e) {
  return e->kind == N_AWAIT && e->object;
}

// f(x)
static Node *call_of(Lower *L, Symbol *f, Symbol *x, TokIndex t) {
  Node *function = ident_node(L, f, t);
  Node *call = make_node(L, N_CALL, t, function, ident_node(L, x, t));
  call->type = canon(f->type)->base;
  call->end = t;
  if (canon(f->type)->throws)
    call->flags |= NF_THROWS | NF_PAUSE;
  return call;
}

// Of `await x`, where x is an awaitable structure S: puts
// x; if (!S_is_completed(x)) wait; and returns S_get_result(x).
static Node *lower_object(Lower *L, Node *e) {
  TokIndex t = e->tok;
  Symbol *x = new_temp(L, rvalue(L->u, e->a), t);
  Symbol **f = e->object;
  put_assign(L, x, lower_expr(L, e->a), t);
  Node *completed = call_of(L, f[AWAIT_IS_COMPLETED], x, t);
  Opened o;
  open_list(L, &o);
  const char *starts = f[AWAIT_ON_COMPLETED]->name->name;
  put_wait(L, starts, t, ident_node(L, x, t), WHY_AWAIT);
  L->last->b->op = RT_ACTION;
  if (f[AWAIT_CANCEL])
    L->last->b->c = code_node(L, t, f[AWAIT_CANCEL]->name->name);
  Node *list = close_list(L, &o);
  put_if(L, not_node(L, completed), list, t);
  return lower_expr(L, call_of(L, f[AWAIT_GET_RESULT], x, t));
}

// Of a call that pauses: puts `t = call`, and returns t.
static Node *lower_call(Lower *L, Node *e) {
  if (awaits_object(e))
    return lower_object(L, e);
  lower_parts(L, e);
  if (type_is_void(e->type)) {
    pause_here(L, NULL, e);
    return nothing_node(L, e->tok);
  }
  Symbol *t = new_temp(L, e->type, e->tok);
  pause_here(L, ident_node(L, t, e->tok), e);
  return ident_node(L, t, e->tok);
}

// ---- effects and values ----
static bool is_temporary(const Node *e) {
  return e->kind == N_IDENT && e->sym && e->sym->local && e->sym->local->temp;
}

Node *without_parentheses(Node *e) {
  while (e && e->kind == N_PAREN)
    e = e->a;
  return e;
}

static bool has_effect_by_itself(const Node *e) {
  return e->kind == N_ASSIGN || e->kind == N_CALL || e->kind == N_POSTFIX ||
         e->kind == N_PREFIX;
}

void put_effect(Lower *L, Node *e) {
  e = without_parentheses(e);
  while (has_pause(e) && e->kind == N_EXTENSION)
    e = without_parentheses(e->a);
  if (has_pause(e) && e->kind == N_BINARY && e->op == P_COMMA) {
    put_effect(L, e->a);
    put_effect(L, e->b);
    return;
  }
  if (is_pause_call(e) && !awaits_object(e)) {
    lower_parts(L, e);
    pause_here(L, NULL, e);
    return;
  }
  Node *v = lower_expr(L, e);
  if (v->kind == N_CODE || is_temporary(v))
    return;
  if (v->kind == N_ATOMIC_EXPR && !type_is_void(v->type))
    v = to_void(L, v);
  bool changed = v != e && !has_effect_by_itself(v);
  // the C compiler would warn of what is left, if it has no effect
  if (changed || (e->flags & NF_WAS_PAUSE))
    v = to_void(L, v);
  put_expr(L, v, e->tok);
}

void put_value(Lower *L, Node *e, Symbol *to) {
  if (to)
    put_assign(L, to, lower_expr(L, e), e->tok);
  else
    put_effect(L, e);
}

Node *branch(Lower *L, Node *e, Symbol *to) {
  Opened o;
  open_list(L, &o);
  put_value(L, e, to);
  return block_of(L, close_list(L, &o), e->tok, e->tok);
}

// Returns a temporary for the value of e; NULL: e is void.
static Symbol *result_temp(Lower *L, Node *e) {
  return type_is_void(e->type) ? NULL : new_temp(L, e->type, e->tok);
}

// ---- operators that do not evaluate all of their operands ----
bool is_comparison(const Node *e) {
  return e->kind == N_BINARY && e->op >= P_LT && e->op <= P_NE;
}

// Returns the lowered condition of a `?:` that becomes an `if`. There, C compilers take parentheses
// around a comparison for a mistake.
static Node *condition(Lower *L, Node *e) {
  Node *c = lower_expr(L, e);
  Node *inner = without_parentheses(c);
  return is_comparison(inner) ? inner : c;
}

// if (a) { t = b; } else { t = c; }; returns t.
static Node *cond_as_if(Lower *L, Node *e) {
  Symbol *t = result_temp(L, e);
  Node *n = make_node(L, N_IF, e->tok, NULL, NULL);
  if (!e->b) { // a ?: c
    Symbol *c = new_temp(L, rvalue(L->u, e->a), e->tok);
    put_value(L, e->a, c);
    e->a = ident_node(L, c, e->tok);
    e->b = ident_node(L, c, e->tok);
  }
  n->a = condition(L, e->a);
  n->b = branch(L, e->b, t);
  n->c = branch(L, e->c, t);
  put_stmt(L, n);
  return value_node(L, t, e->tok);
}

static Node *lower_cond(Lower *L, Node *e) {
  if (has_pause(e->b) || has_pause(e->c) || !e->b)
    return cond_as_if(L, e);
  e->a = lower_expr(L, e->a);
  return e;
}

// t = !!a; if (t) t = !!b;   (of ||: if (!t))
static Node *lower_logical(Lower *L, Node *e) {
  Symbol *t = new_temp(L, type_scalar(L->u, TY_INT), e->tok);
  Node *left = lower_expr(L, e->a);
  put_assign(L, t, truth_node(L, left), e->tok);
  Node *n = make_node(L, N_IF, e->tok, ident_node(L, t, e->tok), NULL);
  if (e->op == P_OROR)
    n->a = not_node(L, n->a);
  Opened o;
  open_list(L, &o);
  Node *right = lower_expr(L, e->b);
  put_assign(L, t, truth_node(L, right), e->tok);
  n->b = block_of(L, close_list(L, &o), e->tok, e->tok);
  put_stmt(L, n);
  return ident_node(L, t, e->tok);
}

// A comma stays if an expression is left after it. Without the comma the C compiler would warn of
// `x = (f(), x)` or of `?:` as a truth value, of which it does not warn in the source.
static Node *lower_comma(Lower *L, Node *e) {
  enum { PASSED_ON = NF_STMT_EXPR | NF_VM | NF_UNKNOWN | NF_CALLS };
  put_value(L, e->a, NULL);
  Node *b = lower_expr(L, e->b);
  if (b->kind == N_CODE || is_temporary(b))
    return b;
  Node *n = make_node(L, N_BINARY, e->tok, nothing_node(L, e->tok), b);
  n->op = P_COMMA;
  n->type = e->type;
  n->flags = NF_WAS_PAUSE | (b->flags & PASSED_ON);
  return n;
}

static Node *lower_operands(Lower *L, Node *e) {
  e->a = lower_expr(L, e->a);
  e->b = lower_expr(L, e->b);
  e->c = lower_expr(L, e->c);
  return e;
}

static Node *lower_binary(Lower *L, Node *e) {
  bool logical = e->op == P_ANDAND || e->op == P_OROR;
  if (e->op == P_COMMA)
    return lower_comma(L, e);
  if (logical && has_pause(e->b))
    return lower_logical(L, e);
  return lower_operands(L, e);
}

// ---- statement expressions ----
// The statement that gives a statement expression its value; NULL: there is none.
static Node *last_expression(Node *e) {
  Node *last = e->a->a;
  while (last && last->next)
    last = last->next;
  while (last && last->kind == N_LABEL)
    last = last->c;
  return last && last->kind == N_EXPR ? last : NULL;
}

// A statement expression that pauses: puts its statements, and returns its value.
static Node *lower_stmt_expr(Lower *L, Node *e) {
  Symbol *t = result_temp(L, e);
  // a jump may leave the statement expression before it has a value
  if (t)
    t->local->zeroed = true;
  Node *last = last_expression(e);
  if (t && last) {
    Node *value = last->a;
    last->a = assign_node(L, ident_node(L, t, e->tok), value, last->tok);
    last->a->flags |= value->flags & (NF_PAUSE | NF_CALLS);
  }
  lower_stmt(L, e->a);
  return value_node(L, t, e->tok);
}

// A statement expression without a pause stays an expression; its statements are lowered inside it.
static void lower_in_place(Lower *L, Node *e) {
  bool outer = L->no_yields;
  Node *last = last_expression(e);
  L->no_yields = true;
  e->flags &= (uint16_t)~NF_LOWER;
  if (last && !type_is_void(e->type))
    last->op = EXPR_WANTED;
  e->a = gather(L, lower_stmt, e->a);
  L->no_yields = outer;
}

void lower_inside(Lower *L, Node *e) {
  if (!e || !(e->flags & NF_LOWER))
    return;
  if (e->kind == N_STMT_EXPR) {
    lower_in_place(L, e);
    return;
  }
  Node *parts[] = { e->a, e->b, e->c };
  for (int i = 0; i < 3; i++)
    for (Node *k = parts[i]; k; k = k->next)
      lower_inside(L, k);
}

// ---- the other kinds ----
void lower_lengths(Lower *L, Type *t) {
  for (; t; t = t->base)
    if (t->kind == TY_ARRAY && has_pause(t->len_expr))
      t->len_expr = lower_expr(L, t->len_expr);
}

static Node *lower_init_list(Lower *L, Node *e) {
  lower_list(L, &e->a);
  return e;
}

static Node *lower_tgmath(Lower *L, Node *e) {
  lower_list(L, &e->b);
  return e;
}

static Node *lower_plain_call(Lower *L, Node *e) {
  lower_callee_and_arguments(L, e);
  return e;
}

static Node *lower_job(Lower *L, Node *e) {
  if (is_async_call(e->a))
    lower_callee_and_arguments(L, e->a);
  else if (e->a)
    e->a = lower_expr(L, e->a);
  return e;
}

static Node *lower_spawn(Lower *L, Node *e) {
  lower_job(L, e);
  e->b = lower_expr(L, e->b);
  return e;
}

static Node *lower_sizeof_type(Lower *L, Node *e) {
  lower_lengths(L, e->tname->type);
  return e;
}

static Node *lower_cast(Lower *L, Node *e) {
  lower_lengths(L, e->tname->type);
  return lower_operands(L, e);
}

static Node *lower_generic(Lower *L, Node *e) {
  for (Node *k = e->b; k; k = k->next)
    if (k->op == ASSOC_CHOSEN)
      k->a = lower_expr(L, k->a);
  return e;
}

static Node *lower_choose(Lower *L, Node *e) {
  if (e->op == CHOOSES_SECOND)
    e->b = lower_expr(L, e->b);
  else
    e->c = lower_expr(L, e->c);
  return e;
}

// The designators of an initializer and the path of offsetof contain no pauses.
static Node *lower_first(Lower *L, Node *e) {
  e->a = lower_expr(L, e->a);
  e->c = lower_expr(L, e->c);
  return e;
}

// The function that lowers each kind of expression with a pause inside. Other kinds:
// lower_operands.
// clang-format off
static Node *(*const lowerers[N_PART + 1])(Lower *, Node *) = {
  [N_ATOMIC_EXPR] = lower_atomic_expr,
  [N_WITHIN] = lower_within,
  [N_BINARY] = lower_binary,
  [N_CALL] = lower_plain_call,
  [N_CAST] = lower_cast,
  [N_CHOOSE_EXPR] = lower_choose,
  [N_COND] = lower_cond,
  [N_GENERIC] = lower_generic,
  [N_INIT] = lower_first,
  [N_INIT_LIST] = lower_init_list,
  [N_JOB] = lower_job,
  [N_OFFSETOF] = lower_first,
  [N_SIZEOF_TYPE] = lower_sizeof_type,
  [N_SPAWN] = lower_spawn,
  [N_STMT_EXPR] = lower_stmt_expr,
  [N_TGMATH] = lower_tgmath,
};

// Kinds of expressions of which C compilers may warn that they have no effect, once a pause inside
// them has become a statement.
static const bool loses_effect[N_PART + 1] = {
  [N_BINARY] = true,
  [N_COND] = true,
  [N_INDEX] = true,
  [N_MEMBER] = true,
  [N_UNARY] = true,
};
// clang-format on

Node *lower_expr(Lower *L, Node *e) {
  if (!has_pause(e)) {
    lower_inside(L, e);
    return e;
  }
  if (is_pause_call(e))
    return lower_call(L, e);
  e->flags &= (uint16_t)~NF_PAUSE;
  if (loses_effect[e->kind])
    e->flags |= NF_WAS_PAUSE;
  if (lowerers[e->kind])
    return lowerers[e->kind](L, e);
  return lower_operands(L, e);
}
