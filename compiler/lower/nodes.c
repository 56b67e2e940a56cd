// nodes.c: makes the nodes of lowered bodies: statements and lists of them, expressions, calls of
// the runtime, temporaries, labels; and the states of a function. lowering.h describes each.
#include "lower/lowering.h"

// ---- statements ----
void put_stmt(Lower *L, Node *s) {
  *L->tail = s;
  L->tail = &s->next;
  L->last_but_one = L->last;
  L->last = s;
}

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

void put_if(Lower *L, Node *cond, Node *list, TokIndex t) {
  Node *block = block_of(L, list, t, t);
  put_stmt(L, make_node(L, N_IF, t, cond, block));
}

// ---- expressions ----
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

Node *nothing_node(Lower *L, TokIndex t) {
  return code_node(L, t, "(void)0");
}

Node *number_node(Lower *L, long v, TokIndex t) {
  char text[24];
  snprintf(text, sizeof text, "%ld", v);
  Node *n = code_node(L, t, text);
  n->type = type_scalar(L->u, TY_INT);
  return n;
}

Node *ident_node(Lower *L, Symbol *s, TokIndex t) {
  Node *n = node_new(L->u, N_IDENT, t);
  n->sym = s;
  n->type = s->type;
  n->flags = NF_LVALUE;
  return n;
}

Node *value_node(Lower *L, Symbol *s, TokIndex t) {
  return s ? ident_node(L, s, t) : nothing_node(L, t);
}

Node *unary_node(Lower *L, TokenKind op, Node *operand, Type *type) {
  Node *n = make_node(L, N_UNARY, operand->tok, operand, NULL);
  n->op = op;
  n->type = type;
  return n;
}

Node *address_node(Lower *L, Symbol *s, TokIndex t) {
  Type *type = type_pointer(L->u, s->type);
  return unary_node(L, P_AMP, ident_node(L, s, t), type);
}

Node *equals_node(Lower *L, Symbol *s, int v, TokIndex t) {
  Node *left = ident_node(L, s, t);
  Node *n = make_node(L, N_BINARY, t, left, number_node(L, v, t));
  n->op = P_EQ;
  n->type = type_scalar(L->u, TY_INT);
  return n;
}

Node *paren_node(Lower *L, Node *e) {
  Node *n = make_node(L, N_PAREN, e->tok, e, NULL);
  n->type = e->type;
  return n;
}

Node *cast_node(Lower *L, Type *to, Node *e) {
  Node *n = make_node(L, N_CAST, e->tok, e, NULL);
  n->tname = NEW(&L->u->arena, TypeName);
  n->tname->type = to;
  n->type = to;
  return n;
}

Node *to_void(Lower *L, Node *e) {
  return cast_node(L, type_scalar(L->u, TY_VOID), paren_node(L, e));
}

Node *not_node(Lower *L, Node *e) {
  return unary_node(L, P_BANG, e, type_scalar(L->u, TY_INT));
}

Node *truth_node(Lower *L, Node *e) {
  return not_node(L, not_node(L, paren_node(L, e)));
}

Node *assign_node(Lower *L, Node *to, Node *value, TokIndex t) {
  Node *n = make_node(L, N_ASSIGN, t, to, value);
  n->op = P_ASSIGN;
  n->type = to->type;
  return n;
}

void put_assign(Lower *L, Symbol *to, Node *value, TokIndex t) {
  Node *e = assign_node(L, ident_node(L, to, t), value, t);
  put_expr(L, e, t);
}

void put_expr(Lower *L, Node *e, TokIndex t) {
  put_stmt(L, make_node(L, N_EXPR, t, e, NULL));
}

Node *argument_list(Node *a, Node *b) {
  a->next = b;
  return a;
}

Node *rt_call(Lower *L, const char *name, TokIndex t, RtForm form, Node *args) {
  Node *n = make_node(L, N_RT, t, NULL, args);
  n->name = intern(L->u, name, strlen(name));
  n->op = form;
  n->type = type_scalar(L->u, TY_VOID);
  return n;
}

Node *int_call(Lower *L, const char *name, TokIndex t, Node *args) {
  Node *n = rt_call(L, name, t, RT_DOMAIN, args);
  n->type = type_scalar(L->u, TY_INT);
  return n;
}

void put_rt(Lower *L, const char *name, TokIndex t, RtForm form, Node *args) {
  put_expr(L, rt_call(L, name, t, form, args), t);
}

// ---- temporaries ----
// Returns a temporary of the type that no full expression uses any more; NULL: there is none. The
// first Async.temps_used temporaries belong to full expressions that are not over.
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
  *k = (Local){
    .sym = s,
    .owner = L->a,
    .temp = true,
    .name = s->name->name,
    .index = (int)L->a->locals.len,
    .slot = -1,
  };
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
  Symbol **at = (Symbol **)L->a->temps.at;
  Symbol *first = at[L->a->temps_used];
  at[L->a->temps.len - 1] = first;
  at[L->a->temps_used++] = s;
  return s;
}

// ---- labels and states ----
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

Node *goto_node(Lower *L, Ident *label, TokIndex t) {
  Node *n = node_new(L->u, N_GOTO, t);
  n->name = label;
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
