// lower-expr.c: normalise the body of an async function: afterwards everything that pauses is a
// statement of its own, N_PAUSE ([temporary =] call), and expressions contain no pauses. Control
// flow stays the source's own where it can.
//
// In expressions what pauses comes first, left to right; the rest is evaluated afterwards, in the
// expression that remains, so nothing needs saving that can be read later. `&&`, `||`, `?:` and `,`
// with a pause behind their sequence point become statements, and so do statement expressions.
//
// Statements are in lower-stmt.c; what is to be done when code is left is in lower-exit.c.
#include "lower/lowering.h"

#include <stdlib.h>

// ---- making nodes ----
void put_stmt(Lower *L, Node *s) {
  *L->tail = s;
  L->tail = &s->next;
  L->last_but_one = L->last;
  L->last = s;
}

Node *make_node(Lower *L, NodeKind k, TokIndex t, Node *a, Node *b) {
  Node *n = node_new(L->u, k, t);
  n->a = a;
  n->b = b;
  return n;
}

Node *code_node(Lower *L, TokIndex t, const char *text) {
  Node *n = node_new(L->u, N_CODE, t);
  n->name = intern(L->u, text, strlen(text));
  n->type = type_scalar(L->u, TY_VOID);
  return n;
}

Node *ident_node(Lower *L, Symbol *s, TokIndex t) {
  Node *n = node_new(L->u, N_IDENT, t);
  n->sym = s;
  n->type = s->type;
  n->flags = NF_LVALUE;
  return n;
}

Node *assign_stmt(Lower *L, Node *to, Node *value, TokIndex t) {
  Node *n = make_node(L, N_ASSIGN, t, to, value);
  n->op = P_ASSIGN;
  n->type = to->type;
  return make_node(L, N_EXPR, t, n, NULL);
}

// Of the temporaries those up to Async.temps_used belong to full expressions that are not yet over;
// another may be taken again.
static Symbol *temporary_again(Lower *L, Type *t) {
  Vec *all = &L->a->temps;
  for (size_t i = L->a->temps_used; i < all->len; i++) {
    Symbol *s = all->at[i];
    if (s->type != type_unqual(L->u, t))
      continue;
    all->at[i] = all->at[L->a->temps_used];
    all->at[L->a->temps_used++] = s;
    return s;
  }
  return NULL;
}

Symbol *own_temp(Lower *L, Type *t, TokIndex tok) {
  Symbol *s = NEW(&L->u->arena, Symbol);
  Local *k = NEW(&L->u->arena, Local);
  char name[32];
  int n = snprintf(name, sizeof name, "fm__t%d", ++L->a->ntemps);
  s->kind = S_VAR;
  s->name = intern(L->u, name, (size_t)n);
  s->type = type_unqual(L->u, t);
  s->tok = tok;
  s->local = k;
  *k = (Local){ .sym = s,
                .temp = true,
                .name = s->name->name,
                .index = (int)L->a->locals.len,
                .slot = -1 };
  vec_push(&L->a->locals, k);
  return s;
}

Symbol *new_temp(Lower *L, Type *t, TokIndex tok) {
  if (canon(t)->kind == TY_ERROR)
    error_at(L->u,
             tok,
             "fmcc does not know the type of this value, which a pause has to "
             "keep: assign it to a variable before");
  Symbol *s = temporary_again(L, t);
  if (s)
    return s;
  s = own_temp(L, t, tok);
  vec_push(&L->a->temps, s);
  Symbol **at = (Symbol **)L->a->temps.at, *first = at[L->a->temps_used];
  at[L->a->temps.len - 1] = first;
  at[L->a->temps_used++] = s;
  return s;
}

Ident *new_label(Lower *L) {
  char name[32];
  int n = snprintf(name, sizeof name, "fm__c%d", ++L->a->nlabels);
  return intern(L->u, name, (size_t)n);
}

Node *label_node(Lower *L, Ident *name, TokIndex t) {
  Node *n = node_new(L->u, N_LABEL, t);
  n->name = name;
  n->c = node_new(L->u, N_EMPTY, t);
  return n;
}

int new_state(Async *a, TokIndex tok, Why why) {
  if (a->nstates == a->cap_states) {
    a->cap_states = a->cap_states ? a->cap_states * 2 : 16;
    a->states = xrealloc(a->states, (size_t)a->cap_states * sizeof *a->states);
  }
  a->states[a->nstates] = (State){ .tok = tok, .why = (uint8_t)why };
  return a->nstates++;
}

// what is put from here on is a list of its own
void open_list(Lower *L, Opened *o) {
  *o = (Opened){ .tail = L->tail, .last = L->last };
  L->tail = &o->first;
  L->last = L->last_but_one = NULL;
}

Node *close_list(Lower *L, Opened *o) {
  *L->tail = NULL;
  L->tail = o->tail;
  L->last = o->last;
  L->last_but_one = NULL;
  return o->first;
}

Node *gather(Lower *L, Filler fill, Node *arg) {
  Opened o;
  open_list(L, &o);
  fill(L, arg);
  return close_list(L, &o);
}

Node *block_of(Lower *L, Node *list, TokIndex t, TokIndex end) {
  Node *n = make_node(L, N_COMPOUND, t, list, NULL);
  n->end = end;
  return n;
}

TokIndex last_token(Node *s) {
  return s->end > s->tok ? s->end : s->tok;
}

// ---- expressions ----
static void lower_list(Lower *L, Node **list) {
  for (; *list; list = &(*list)->next) {
    Node *next = (*list)->next, *e = lower_expr(L, *list);
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

Node *pause_here(Lower *L, Node *dst, Node *call) {
  TokIndex at = first_token(call);
  Node *n = make_node(L, N_PAUSE, at, dst, call);
  if (meets_cancels(L))
    n->flags |= NF_ATOMIC;
  n->d = landing(L, at);
  note_throwing(L, call);
  // what throws is done elsewhere: see print_inline
  if (n->d && L->a && has_inline_version(call)) {
    L->a->landings--;
    L->a->inlines = true;
  }
  if (!L->plain) {
    n->val = new_state(L->a,
                       at,
                       !pauses_there(call)     ? WHY_THROW
                       : call->kind == N_AWAIT ? WHY_AWAIT
                                               : WHY_CALL);
    if (n->d)
      L->a->states[n->val].landing = n->d->name;
    // val + 1: the call has ended, and then the slice was over
    new_state(L->a, at, WHY_AFTER);
  }
  put_stmt(L, n);
  return n;
}

void lower_parts(Lower *L, Node *call) {
  bool begins = (call->kind == N_SPAWN || call->kind == N_RUN) &&
                call->a->kind == N_CALL && (call->a->flags & NF_ASYNC);
  if (call->kind == N_SPAWN && call->a->kind == N_ARM)
    return;
  if (begins) {
    call->a->a = lower_expr(L, call->a->a);
    lower_list(L, &call->a->b);
    if (call->b)
      call->b = lower_expr(L, call->b);
    call->flags &= (uint16_t)~NF_PAUSE;
    return;
  }
  call->a = lower_expr(L, call->a);
  if (call->kind == N_SPAWN && call->b)
    call->b = lower_expr(L, call->b);
  if (call->kind == N_CALL)
    lower_list(L, &call->b);
  call->flags &= (uint16_t)~NF_PAUSE;
}

static Node *lower_call(Lower *L, Node *e) {
  if (e->kind == N_AWAIT && e->object)
    return lower_object(L, e);
  lower_parts(L, e);
  if (type_is_void(e->type)) {
    pause_here(L, NULL, e);
    return code_node(L, e->tok, "(void)0");
  }
  Symbol *t = new_temp(L, e->type, e->tok);
  pause_here(L, ident_node(L, t, e->tok), e);
  return ident_node(L, t, e->tok);
}

static bool is_temporary(const Node *e) {
  return e->kind == N_IDENT && e->sym && e->sym->local && e->sym->local->temp;
}

// (void)(e)
Node *to_void(Lower *L, Node *e) {
  Node *p = make_node(L, N_PAREN, e->tok, e, NULL),
       *c = make_node(L, N_CAST, e->tok, p, NULL);
  p->type = e->type;
  c->tname = NEW(&L->u->arena, TypeName);
  c->tname->type = c->type = type_scalar(L->u, TY_VOID);
  return c;
}

// evaluate e; its value is not wanted
void put_effect(Lower *L, Node *e) {
  while (e->kind == N_PAREN)
    e = e->a;
  if (has_pause(e) && e->kind == N_BINARY && e->op == P_COMMA) {
    put_effect(L, e->a);
    put_effect(L, e->b);
    return;
  }
  if (is_pause_call(e) && !(e->kind == N_AWAIT && e->object)) {
    lower_parts(L, e);
    pause_here(L, NULL, e);
    return;
  }
  Node *v = lower_expr(L, e);
  if (v->kind == N_CODE || is_temporary(v))
    return;
  if (v->kind == N_ATOMIC_EXPR && !type_is_void(v->type))
    v = to_void(L, v);
  bool changed = v != e && v->kind != N_ASSIGN && v->kind != N_CALL &&
                 v->kind != N_POSTFIX && v->kind != N_PREFIX;
  // what remains of it may have no effect
  if (changed || (e->flags & NF_WAS_PAUSE))
    v = to_void(L, v);
  put_stmt(L, make_node(L, N_EXPR, e->tok, v, NULL));
}

// evaluate e, into `to` unless that is NULL
void put_value(Lower *L, Node *e, Symbol *to) {
  if (to) {
    Node *v = lower_expr(L, e);
    put_stmt(L, assign_stmt(L, ident_node(L, to, e->tok), v, e->tok));
  } else {
    put_effect(L, e);
  }
}

Node *branch(Lower *L, Node *e, Symbol *to) {
  Opened o;
  open_list(L, &o);
  put_value(L, e, to);
  return block_of(L, close_list(L, &o), e->tok, e->tok);
}

// `(x == y) ? f() : g()` becomes an `if`, in which parentheses around a comparison look like a
// mistake.
static Node *condition(Lower *L, Node *e) {
  Node *c = lower_expr(L, e), *k = c;
  while (k->kind == N_PAREN)
    k = k->a;
  return k->kind == N_BINARY && k->op >= P_LT && k->op <= P_NE ? k : c;
}

static Node *lower_cond(Lower *L, Node *e) {
  bool is_void = type_is_void(e->type);
  Symbol *t = is_void ? NULL : new_temp(L, e->type, e->tok);
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
  return t ? ident_node(L, t, e->tok) : code_node(L, e->tok, "(void)0");
}

// !!(e)
Node *truth(Lower *L, Node *e) {
  Node *p = make_node(L, N_PAREN, e->tok, e, NULL), *n = p;
  p->type = e->type;
  for (int i = 0; i < 2; i++) {
    n = make_node(L, N_UNARY, e->tok, n, NULL);
    n->op = P_BANG;
    n->type = type_scalar(L->u, TY_INT);
  }
  return n;
}

// t = !!a; if (t) t = !!b;   (or if (!t))
static Node *lower_logical(Lower *L, Node *e) {
  Symbol *t = new_temp(L, type_scalar(L->u, TY_INT), e->tok);
  Node *left = lower_expr(L, e->a);
  put_stmt(L, assign_stmt(L, ident_node(L, t, e->tok), truth(L, left), e->tok));
  Node *n = make_node(L, N_IF, e->tok, ident_node(L, t, e->tok), NULL);
  if (e->op == P_OROR) {
    Node *not = make_node(L, N_UNARY, e->tok, n->a, NULL);
    not ->op = P_BANG;
    n->a = not ;
  }
  Opened o;
  open_list(L, &o);
  Node *right = lower_expr(L, e->b);
  put_stmt(L,
           assign_stmt(L, ident_node(L, t, e->tok), truth(L, right), e->tok));
  n->b = block_of(L, close_list(L, &o), e->tok, e->tok);
  put_stmt(L, n);
  return ident_node(L, t, e->tok);
}

static Node *lower_stmt_expr(Lower *L, Node *e) {
  bool is_void = type_is_void(e->type);
  Symbol *t = is_void ? NULL : new_temp(L, e->type, e->tok);
  // a jump may leave it without a value
  if (t)
    t->local->zeroed = true;
  Node **last = &e->a->a;
  while (*last && (*last)->next)
    last = &(*last)->next;
  while (*last && (*last)->kind == N_LABEL)
    last = &(*last)->c;
  // its value goes to the temporary
  if (t && *last && (*last)->kind == N_EXPR) {
    Node *to = ident_node(L, t, e->tok),
         *n = make_node(L, N_ASSIGN, (*last)->tok, to, (*last)->a);
    n->op = P_ASSIGN;
    n->type = to->type;
    n->flags |= (*last)->a->flags & (NF_PAUSE | NF_CALLS);
    (*last)->a = n;
  }
  lower_stmt(L, e->a);
  return t ? ident_node(L, t, e->tok) : code_node(L, e->tok, "(void)0");
}

// A comma stays where something is left behind it: of x = (f(), x), or of `?:` as a truth value,
// the C compiler would say what it does not say of the source.
static Node *lower_comma(Lower *L, Node *e) {
  put_value(L, e->a, NULL);
  Node *b = lower_expr(L, e->b);
  if (b->kind == N_CODE || is_temporary(b))
    return b;
  Node *n = make_node(L, N_BINARY, e->tok, code_node(L, e->tok, "(void)0"), b);
  n->op = P_COMMA;
  n->type = e->type;
  n->flags = NF_WAS_PAUSE |
             (b->flags & (NF_STMT_EXPR | NF_VM | NF_UNKNOWN | NF_CALLS));
  return n;
}

// A statement expression without a pause stays an expression; but the statements in it are lowered.
void lower_inside(Lower *L, Node *e) {
  if (!e || !(e->flags & NF_LOWER))
    return;
  if (e->kind == N_STMT_EXPR) {
    bool outer = L->no_yields;
    L->no_yields = true;
    e->flags &= (uint16_t)~NF_LOWER;
    Node *last = e->a->a;
    while (last && last->next)
      last = last->next;
    while (last && last->kind == N_LABEL)
      last = last->c;
    // its value is wanted
    if (last && last->kind == N_EXPR && !type_is_void(e->type))
      last->op = EXPR_WANTED;
    e->a = gather(L, lower_stmt, e->a);
    L->no_yields = outer;
    return;
  }
  Node *parts[] = { e->a, e->b, e->c };
  for (int i = 0; i < 3; i++)
    for (Node *k = parts[i]; k; k = k->next)
      lower_inside(L, k);
}

void lower_lengths(Lower *L, Type *t) {
  for (; t; t = t->base)
    if (t->kind == TY_ARRAY && has_pause(t->len_expr))
      t->len_expr = lower_expr(L, t->len_expr);
}

Node *lower_expr(Lower *L, Node *e) {
  if (!has_pause(e)) {
    lower_inside(L, e);
    return e;
  }
  if (is_pause_call(e))
    return lower_call(L, e);
  e->flags &= (uint16_t)~NF_PAUSE;
  if (e->kind == N_BINARY || e->kind == N_COND || e->kind == N_UNARY ||
      e->kind == N_MEMBER || e->kind == N_INDEX)
    e->flags |= NF_WAS_PAUSE;
  switch (e->kind) {
  case N_COND:
    if (has_pause(e->b) || has_pause(e->c) || !e->b)
      return lower_cond(L, e);
    e->a = lower_expr(L, e->a);
    return e;
  case N_BINARY:
    if (e->op == P_COMMA)
      return lower_comma(L, e);
    if ((e->op == P_ANDAND || e->op == P_OROR) && has_pause(e->b))
      return lower_logical(L, e);
    break;
  case N_STMT_EXPR:
    return lower_stmt_expr(L, e);
  case N_ATOMIC_EXPR:
    return lower_atomic_expr(L, e);
  case N_INIT_LIST:
    lower_list(L, &e->a);
    return e;
  case N_TGMATH:
    lower_list(L, &e->b);
    return e;
  case N_CALL:
    e->a = lower_expr(L, e->a);
    lower_list(L, &e->b);
    return e;
  case N_SPAWN:
  case N_JOB:
    if (e->a && e->a->kind == N_CALL && (e->a->flags & NF_ASYNC)) {
      e->a->a = lower_expr(L, e->a->a);
      lower_list(L, &e->a->b);
    } else if (e->a) {
      e->a = lower_expr(L, e->a);
    }
    if (e->kind == N_SPAWN)
      e->b = lower_expr(L, e->b);
    return e;
  case N_SIZEOF_TYPE:
    lower_lengths(L, e->tname->type);
    return e;
  case N_CAST:
    lower_lengths(L, e->tname->type);
    break;
  case N_GENERIC:
    for (Node *k = e->b; k; k = k->next)
      if (k->op == ASSOC_CHOSEN)
        k->a = lower_expr(L, k->a);
    return e;
  case N_CHOOSE_EXPR:
    if (e->op == CHOOSES_SECOND)
      e->b = lower_expr(L, e->b);
    else
      e->c = lower_expr(L, e->c);
    return e;
  default:
    break;
  }
  e->a = lower_expr(L, e->a);
  if (e->kind != N_INIT && e->kind != N_OFFSETOF)
    e->b = lower_expr(L, e->b);
  e->c = lower_expr(L, e->c);
  return e;
}
