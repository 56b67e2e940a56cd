// lower.c: normalise the body of an async function: afterwards everything that pauses is a statement of its own, N_PAUSE
// ([temporary =] call), and expressions contain no pauses. Control flow stays the source's own where it can.
//
// In expressions what pauses comes first, left to right; the rest is evaluated afterwards, in the expression that remains, so
// nothing needs saving that can be read later. `&&`, `||`, `?:` and `,` with a pause behind their sequence point
// become statements, and so do statement expressions. Loops whose condition or step pauses become endless loops with a break;
// `continue` in them becomes a goto.
//
// What is to be done when code is left is in leave.c.
#include "lower.h"

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

// Of the temporaries those up to Async.temps_used belong to full expressions that are not yet over; another may be taken again.
static Symbol *temporary_again(Lower *L, Type *t) {
  Vec *all = &L->a->temps;
  for (size_t i = L->a->temps_used; i < all->len; i++) {
    Symbol *s = all->at[i];
    if (s->type != type_unqual(L->u, t)) continue;
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
  *k = (Local){.sym = s, .temp = true, .name = s->name->name, .index = (int)L->a->locals.len, .slot = -1};
  vec_push(&L->a->locals, k);
  return s;
}

Symbol *new_temp(Lower *L, Type *t, TokIndex tok) {
  Symbol *s = temporary_again(L, t);
  if (s) return s;
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
  a->states[a->nstates] = (State){.tok = tok, .why = (uint8_t)why};
  return a->nstates++;
}

// The statements that `fill` puts, as a list of their own.
void open_list(Lower *L, Opened *o) {      // what is put from here on is a list of its own
  *o = (Opened){.tail = L->tail, .last = L->last};
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

typedef void (*Filler)(Lower *, Node *);
static Node *gather(Lower *L, Filler fill, Node *arg) {
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

TokIndex last_token(Node *s) { return s->end > s->tok ? s->end : s->tok; }

Node *lower_sub(Lower *L, Node *s) {             // a statement that must stay one
  Node *list = gather(L, lower_stmt, s);
  bool several = list && (list->next || list->kind == N_DECL || list->kind == N_PAUSE || list->kind == N_CODE ||
                          list->kind == N_YIELD || list->kind == N_TAIL); // or printed as several
  if (list && !several) return list;
  return block_of(L, list, s->tok, last_token(s));
}

// ---- expressions ----
static bool has(Node *e) { return e && (e->flags & NF_PAUSE); }

static void lower_list(Lower *L, Node **list) {
  for (; *list; list = &(*list)->next) {
    Node *next = (*list)->next, *e = lower_expr(L, *list);
    if (e != *list) {
      Node *copy = NEW(&L->u->arena, Node);       // a shared identifier must not be linked into the list
      *copy = *e;
      e = copy;
    }
    e->next = next;
    *list = e;
  }
}

bool pauses_there(const Node *e) {
  return !(e->flags & NF_ATOMIC) && (e->kind == N_AWAIT || e->kind == N_SPAWN || e->kind == N_RT || (e->kind == N_CALL && (e->flags & NF_ASYNC)));
}

static Node *pause_here(Lower *L, Node *dst, Node *call) {
  TokIndex at = first_token(call);
  Node *n = make_node(L, N_PAUSE, at, dst, call);
  n->d = landing(L, at);
  if (!L->plain) {
    n->val = new_state(L->a, at, !pauses_there(call) ? WHY_THROW : call->kind == N_AWAIT ? WHY_AWAIT : WHY_CALL);
    if (n->d) L->a->states[n->val].landing = n->d->name;
    new_state(L->a, at, WHY_AFTER);               // val + 1: the call has ended, and then the slice was over
  }
  put_stmt(L, n);
  return n;
}

static void lower_parts(Lower *L, Node *call) {
  bool begins = (call->kind == N_SPAWN || call->kind == N_RUN) && call->a->kind == N_CALL && (call->a->flags & NF_ASYNC);
  if (call->kind == N_SPAWN && call->a->kind == N_ARM) return;
  if (begins) {
    call->a->a = lower_expr(L, call->a->a);
    lower_list(L, &call->a->b);
    if (call->b) call->b = lower_expr(L, call->b);
    call->flags &= (uint16_t)~NF_PAUSE;
    return;
  }
  call->a = lower_expr(L, call->a);
  if (call->kind == N_SPAWN && call->b) call->b = lower_expr(L, call->b);
  if (call->kind == N_CALL) lower_list(L, &call->b);
  call->flags &= (uint16_t)~NF_PAUSE;
}

static Node *lower_call(Lower *L, Node *e) {
  if (e->kind == N_AWAIT && e->object) return lower_object(L, e);
  lower_parts(L, e);
  if (type_is_void(e->type)) {
    pause_here(L, NULL, e);
    return code_node(L, e->tok, "(void)0");
  }
  Symbol *t = new_temp(L, e->type, e->tok);
  pause_here(L, ident_node(L, t, e->tok), e);
  return ident_node(L, t, e->tok);
}



static bool is_temporary(const Node *e) { return e->kind == N_IDENT && e->sym && e->sym->local && e->sym->local->temp; }

Node *to_void(Lower *L, Node *e) {         // (void)(e)
  Node *p = make_node(L, N_PAREN, e->tok, e, NULL), *c = make_node(L, N_CAST, e->tok, p, NULL);
  p->type = e->type;
  c->tname = NEW(&L->u->arena, TypeName);
  c->tname->type = c->type = type_scalar(L->u, TY_VOID);
  return c;
}

static void put_effect(Lower *L, Node *e) {       // evaluate e; its value is not wanted
  while (e->kind == N_PAREN) e = e->a;
  if (is_pause_call(e) && !(e->kind == N_AWAIT && e->object)) {
    lower_parts(L, e);
    pause_here(L, NULL, e);
    return;
  }
  Node *v = lower_expr(L, e);
  if (v->kind == N_CODE || is_temporary(v)) return;
  if (v->kind == N_ATOMIC_EXPR && !type_is_void(v->type)) v = to_void(L, v);
  bool changed = v != e && v->kind != N_ASSIGN && v->kind != N_CALL && v->kind != N_POSTFIX && v->kind != N_PREFIX;
  if (changed || (e->flags & NF_WAS_PAUSE)) v = to_void(L, v); // what remains of it may have no effect
  put_stmt(L, make_node(L, N_EXPR, e->tok, v, NULL));
}

static void put_value(Lower *L, Node *e, Symbol *to) { // evaluate e, into `to` unless that is NULL
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

static Node *lower_cond(Lower *L, Node *e) {
  bool is_void = type_is_void(e->type);
  Symbol *t = is_void ? NULL : new_temp(L, e->type, e->tok);
  Node *n = make_node(L, N_IF, e->tok, NULL, NULL);
  if (!e->b) {                                    // a ?: c
    Symbol *c = new_temp(L, rvalue(L->u, e->a), e->tok);
    put_value(L, e->a, c);
    e->a = ident_node(L, c, e->tok);
    e->b = ident_node(L, c, e->tok);
  }
  n->a = lower_expr(L, e->a);
  n->b = branch(L, e->b, t);
  n->c = branch(L, e->c, t);
  put_stmt(L, n);
  return t ? ident_node(L, t, e->tok) : code_node(L, e->tok, "(void)0");
}

static Node *truth(Lower *L, Node *e) {           // !!(e)
  Node *p = make_node(L, N_PAREN, e->tok, e, NULL), *n = p;
  p->type = e->type;
  for (int i = 0; i < 2; i++) {
    n = make_node(L, N_UNARY, e->tok, n, NULL);
    n->op = P_BANG;
    n->type = type_scalar(L->u, TY_INT);
  }
  return n;
}

static Node *lower_logical(Lower *L, Node *e) {   // t = !!a; if (t) t = !!b;   (or if (!t))
  Symbol *t = new_temp(L, type_scalar(L->u, TY_INT), e->tok);
  Node *left = lower_expr(L, e->a);
  put_stmt(L, assign_stmt(L, ident_node(L, t, e->tok), truth(L, left), e->tok));
  Node *n = make_node(L, N_IF, e->tok, ident_node(L, t, e->tok), NULL);
  if (e->op == P_OROR) {
    Node *not = make_node(L, N_UNARY, e->tok, n->a, NULL);
    not->op = P_BANG;
    n->a = not;
  }
  Opened o;
  open_list(L, &o);
  Node *right = lower_expr(L, e->b);
  put_stmt(L, assign_stmt(L, ident_node(L, t, e->tok), truth(L, right), e->tok));
  n->b = block_of(L, close_list(L, &o), e->tok, e->tok);
  put_stmt(L, n);
  return ident_node(L, t, e->tok);
}

static Node *lower_stmt_expr(Lower *L, Node *e) {
  bool is_void = type_is_void(e->type);
  Symbol *t = is_void ? NULL : new_temp(L, e->type, e->tok);
  if (t) t->local->zeroed = true;                 // a jump may leave it without a value
  Node **last = &e->a->a;
  while (*last && (*last)->next) last = &(*last)->next;
  while (*last && (*last)->kind == N_LABEL) last = &(*last)->c;
  if (t && *last && (*last)->kind == N_EXPR) {    // its value goes to the temporary
    Node *to = ident_node(L, t, e->tok), *n = make_node(L, N_ASSIGN, (*last)->tok, to, (*last)->a);
    n->op = P_ASSIGN;
    n->type = to->type;
    n->flags |= (*last)->a->flags & (NF_PAUSE | NF_CALLS);
    (*last)->a = n;
  }
  lower_stmt(L, e->a);
  return t ? ident_node(L, t, e->tok) : code_node(L, e->tok, "(void)0");
}

static Node *lower_comma(Lower *L, Node *e) {
  put_value(L, e->a, NULL);
  return lower_expr(L, e->b);
}

// A statement expression without a pause stays an expression; but the statements in it are lowered.
static void lower_inside(Lower *L, Node *e) {
  if (!e || !(e->flags & NF_LOWER)) return;
  if (e->kind == N_STMT_EXPR) {
    bool outer = L->no_yields;
    L->no_yields = true;
    e->flags &= (uint16_t)~NF_LOWER;
    Node *last = e->a->a;
    while (last && last->next) last = last->next;
    while (last && last->kind == N_LABEL) last = last->c;
    if (last && last->kind == N_EXPR && !type_is_void(e->type)) last->op = 1; // its value is wanted
    e->a = gather(L, lower_stmt, e->a);
    L->no_yields = outer;
    return;
  }
  Node *parts[] = {e->a, e->b, e->c};
  for (int i = 0; i < 3; i++)
    for (Node *k = parts[i]; k; k = k->next) lower_inside(L, k);
}

Node *lower_expr(Lower *L, Node *e) {
  if (!has(e)) {
    lower_inside(L, e);
    return e;
  }
  if (is_pause_call(e)) return lower_call(L, e);
  e->flags &= (uint16_t)~NF_PAUSE;
  if (e->kind == N_BINARY || e->kind == N_COND || e->kind == N_UNARY || e->kind == N_MEMBER || e->kind == N_INDEX) e->flags |= NF_WAS_PAUSE;
  switch (e->kind) {
  case N_COND:
    if (has(e->b) || has(e->c) || !e->b) return lower_cond(L, e);
    e->a = lower_expr(L, e->a);
    return e;
  case N_BINARY:
    if (e->op == P_COMMA) return lower_comma(L, e);
    if ((e->op == P_ANDAND || e->op == P_OROR) && has(e->b)) return lower_logical(L, e);
    break;
  case N_STMT_EXPR: return lower_stmt_expr(L, e);
  case N_ATOMIC_EXPR: return lower_atomic_expr(L, e);
  case N_INIT_LIST: lower_list(L, &e->a); return e;
  case N_CALL: e->a = lower_expr(L, e->a); lower_list(L, &e->b); return e;
  case N_SPAWN: case N_JOB:
    if (e->a && e->a->kind == N_CALL && (e->a->flags & NF_ASYNC)) {
      e->a->a = lower_expr(L, e->a->a);
      lower_list(L, &e->a->b);
    } else if (e->a) {
      e->a = lower_expr(L, e->a);
    }
    if (e->kind == N_SPAWN) e->b = lower_expr(L, e->b);
    return e;
  case N_SIZEOF_TYPE:
    for (Type *t = e->tname->type; t; t = t->base)
      if (t->kind == TY_ARRAY && has(t->len_expr)) t->len_expr = lower_expr(L, t->len_expr);
    return e;
  case N_GENERIC:
    for (Node *k = e->b; k; k = k->next)
      if (k->op) k->a = lower_expr(L, k->a);
    return e;
  case N_CHOOSE_EXPR:
    if (e->op == 1) e->b = lower_expr(L, e->b);
    else e->c = lower_expr(L, e->c);
    return e;
  default: break;
  }
  e->a = lower_expr(L, e->a);
  if (e->kind != N_INIT && e->kind != N_OFFSETOF) e->b = lower_expr(L, e->b);
  e->c = lower_expr(L, e->c);
  return e;
}

// ---- automatic yields ----
static bool yield_point(const Node *s) { return s && (s->kind == N_AUTO || s->kind == N_YIELD || (s->kind == N_PAUSE && s->op)); }

bool in_atomic(Lower *L) {
  for (Nest *n = L->nest; n; n = n->outer)
    if (n->kind == NEST_ATOMIC) return true;
  return false;
}

static void put_auto(Lower *L, TokIndex t) {      // merged with the yield just before
  if (yield_point(L->last) || in_atomic(L) || L->no_yields) return;
  Node *n = node_new(L->u, N_AUTO, t);
  n->val = new_state(L->a, t, WHY_AUTO);
  put_stmt(L, n);
}

static bool yields_behind(Lower *L, Node *call) { // it can; its value is then kept across the yield, which one that is const could not
  return call && call->kind == N_PAUSE && call->b->kind != N_AWAIT && call->b->kind != N_RT && pauses_there(call->b) && !in_atomic(L) && !L->no_yields &&
         !(call->a && type_has_const_member(call->a->type));
}

// Behind a full expression. What remains of it behind its last pause may be such that a yield between the two is as good:
// `x = f() + 1` becomes t = f(); x = t + 1, and the check behind the call serves.
static void put_auto_after(Lower *L, TokIndex t) {
  Node *call = L->last_but_one;
  if (yields_behind(L, call) && unseen_statement(L->last)) call->op = 1;
  else put_auto(L, t);
}

static bool calls(const Node *e) { return e && (e->flags & NF_CALLS); }

static void yield_around(Lower *L, const Node *e, TokIndex t) { // before or after a full expression
  if (L->a->auto_yield && calls(e)) put_auto(L, t);
}

static void yield_in_loop(Lower *L, TokIndex t) { // on the way back
  if (L->a->loop_yield) put_auto(L, t);
}

// Which block waits for which activity: before lowering, since jumps may come first in the text.
static void find_groups(Async *a, Node *s, Nest *nest) {
  if (!s) return;
  Nest here = {.outer = nest, .kind = NEST_BLOCK, .node = s};
  switch (s->kind) {
  case N_COMPOUND:
    for (Node *k = s->a; k; k = k->next) find_groups(a, k, &here);
    break;
  case N_ACTIVATE: {
    Async *body = NULL;
    for (size_t i = 0; i < a->inner.len; i++)
      if (((Async *)a->inner.at[i])->decl == s->decl) body = a->inner.at[i];
    Nest *n = nest;
    while (n && n->outer && n->node->val > body->share_depth) n = n->outer;
    if (body->share_depth < 0 || !n) break;
    if (!n->node->op) n->node->op = (uint8_t)++a->ngroups;
    s->val = n->node->op;
    break;
  }
  case N_IF: find_groups(a, s->b, nest); find_groups(a, s->c, nest); break;
  case N_WHILE: case N_DO: case N_SWITCH: find_groups(a, s->b, nest); break;
  case N_FOR: find_groups(a, s->d, nest); break;
  case N_CASE: case N_DEFAULT: case N_LABEL: find_groups(a, s->c, nest); break;
  case N_ATOMIC: case N_DEFER: case N_SHIELD: case N_CATCH: find_groups(a, s->a, nest); break;
  case N_SCOPE: find_groups(a, s->a, nest); find_groups(a, s->b, nest); break;
  case N_TRY:
    find_groups(a, s->a, nest);
    for (Node *k = s->b; k; k = k->next) find_groups(a, k, nest);
    find_groups(a, s->c, nest);
    break;
  case N_RACE:
    for (Node *k = s->b; k; k = k->next)
      for (Node *c = k->c; c; c = c->next) find_groups(a, c, nest);
    break;
  default: break;
  }
}

// ---- goto: what it leaves ----
struct LabelPlace { Ident *name; TokIndex tok; Range region; LabelPlace *next; }; // region: no jump from outside enters it

static void find_labels(Lower *L, Node *s);

static void find_labels_in(Lower *L, Node *e) {   // statement expressions
  for (; e; e = e->next) {
    if (!(e->flags & NF_STMT_EXPR)) continue;
    if (e->kind == N_STMT_EXPR) {
      find_labels(L, e->a);
      continue;
    }
    find_labels_in(L, e->a);
    if (e->kind != N_INIT) find_labels_in(L, e->b);
    find_labels_in(L, e->c);
  }
}

static void find_labels_here(Lower *L, Node *s) { // in the expressions of a statement
  switch (s->kind) {
  case N_EXPR: case N_RETURN: case N_IF: case N_WHILE: case N_DO: case N_SWITCH: find_labels_in(L, s->a); break;
  case N_FOR:
    if (s->a) find_labels_here(L, s->a);
    find_labels_in(L, s->b);
    find_labels_in(L, s->c);
    break;
  case N_DECL:
    for (Decl *d = s->decl; d; d = d->next) find_labels_in(L, d->init);
    break;
  default: break;
  }
}

static void find_labels_of(Lower *L, Node *s, Node *region) {
  Range outer = L->region;
  if (!s) return;
  L->region = (Range){region->tok, last_token(region)};
  find_labels(L, s);
  L->region = outer;
}

static bool is_label(const Node *s) { return s->kind == N_CASE || s->kind == N_DEFAULT || s->kind == N_LABEL; }

static Node *behind_labels(Node *s) {             // the statement; NULL: there is none
  while (s && is_label(s)) s = s->c;
  return s;
}

static void put_labels(Lower *L, Node *s) {       // without the statement
  Node *inner = s;
  while (inner->c && is_label(inner->c)) inner = inner->c;
  if (inner->c) inner->c = node_new(L->u, N_EMPTY, inner->c->tok);
  put_stmt(L, s);
}

static void find_labels_block(Lower *L, Node *s) { // what stands behind a defer is a region, up to the end of the block
  Range outer = L->region;
  for (Node *k = s->a; k; k = k->next) {
    find_labels(L, k);
    Node *d = behind_labels(k);
    bool cleans = d && d->kind == N_DEFER;
    for (Decl *v = !L->plain && k->kind == N_DECL ? k->decl : NULL; v; v = v->next) cleans |= v->cleanup != NULL;
    if (cleans) L->region = (Range){d->end, s->end};
  }
  L->region = outer;
}

static void find_labels_case(Lower *L, Node *s) {
  if (L->region.from != L->switch_region.from)
    error_at(L->u, s->tok, "no jump enters this block from outside, and the `switch` of this label stands outside; behind a `defer`, put braces around the case that has it");
  find_labels(L, s->c);
}

static void find_labels_switch(Lower *L, Node *s) {
  Range outer = L->switch_region;
  L->switch_region = L->region;
  find_labels(L, s->b);
  L->switch_region = outer;
}

static void find_labels(Lower *L, Node *s) {
  if (!s) return;
  find_labels_here(L, s);
  switch (s->kind) {
  case N_LABEL: {
    for (LabelPlace *o = L->labels; o && !L->plain; o = o->next)
      if (o->name == s->name && !L->local_labels) error_at(L->u, s->tok, "the label `%s` stands twice in this function", s->name->name);
    LabelPlace *k = NEW(&L->u->arena, LabelPlace);
    *k = (LabelPlace){s->name, s->tok, L->region, L->labels};
    L->labels = k;
    find_labels(L, s->c);
    break;
  }
  case N_COMPOUND:
    find_labels_block(L, s);
    break;
  case N_IF: find_labels(L, s->b); find_labels(L, s->c); break;
  case N_WHILE: case N_DO: find_labels(L, s->b); break;
  case N_SWITCH: find_labels_switch(L, s); break;
  case N_FOR: find_labels(L, s->d); break;
  case N_CASE: case N_DEFAULT: find_labels_case(L, s); break;
  case N_ATOMIC: case N_DEFER: case N_SHIELD: case N_CATCH: find_labels_of(L, s->a, s->a); break;
  case N_SCOPE:
    find_labels_of(L, s->a, s->a);
    find_labels(L, s->b);
    break;
  case N_TRY:
    find_labels_of(L, s->a, s->a);
    for (Node *k = s->b; k; k = k->next) find_labels(L, k);
    find_labels_of(L, s->c, s->c);
    break;
  case N_RACE:
    for (Node *k = s->b; k; k = k->next)
      for (Node *c = k->c; c; c = c->next) find_labels_of(L, c, k);
    break;
  case N_LOCAL_LABELS: L->local_labels = true; break;
  default: break;
  }
}

static Nest *loop_around(Lower *L, bool switches) {
  Nest *n = L->nest;
  while (n && n->kind != NEST_LOOP && !(switches && n->kind == NEST_SWITCH)) n = n->outer;
  return n;
}

static Nest *nest_around(Lower *L, TokIndex label) {
  Nest *n = L->nest;
  while (n && !(n->node && n->node->tok <= label && label <= n->node->end)) n = n->outer;
  return n;
}

// ---- statements ----
enum { MAX_CLEANUPS = 16 };

static int with_cleanup(Node *s, Decl **list) {   // before the declaration is cut up
  int n = 0;
  for (Decl *d = s->kind == N_DECL ? s->decl : NULL; d; d = d->next)
    if (d->cleanup && n < MAX_CLEANUPS) list[n++] = d;
  return n;
}

void lower_list_of(Lower *L, Node *s) {
  for (Node *next; s; s = next) {
    next = s->next;
    s->next = NULL;
    Node *d = behind_labels(s);
    if (d && d->kind == N_DEFER) {                // the rest of the block is its region
      if (d != s) put_labels(L, s);
      lower_defer(L, d, next);
      return;
    }
    Decl *cleanups[MAX_CLEANUPS];
    int n = L->plain ? 0 : with_cleanup(s, cleanups);
    lower_stmt(L, s);
    if (n) {
      lower_cleanups(L, s, cleanups, n, next);
      return;
    }
  }
}

static void lower_expression(Lower *L, Node *s) {
  Node *e = s->a;
  if (!has(e)) {
    lower_inside(L, e);
    while (e->kind == N_PAREN) e = e->a;
    if (e->kind == N_ATOMIC_EXPR && !type_is_void(e->type) && !s->op) s->a = to_void(L, e);
    put_stmt(L, s);
    return;
  }
  bool direct = e->kind == N_ASSIGN && e->op == P_ASSIGN && is_pause_call(e->b) && !(e->b->kind == N_AWAIT && e->b->object) && e->a->kind == N_IDENT && e->a->sym &&
                e->a->sym->local && type_compatible(L->u, e->a->type, e->b->type);
  if (direct && !landing_here(L)) {               // x = f(…): no temporary; but a handler sees x as it was
    bool yields = pauses_there(e->b);
    lower_parts(L, e->b);
    pause_here(L, e->a, e->b)->op = yields;            // nothing follows in this full expression: the slice may end behind the call
    return;
  }
  Node *bare = e;
  while (bare->kind == N_PAREN) bare = bare->a;
  put_effect(L, e);
  if (L->last && L->last->kind == N_PAUSE && L->last->b == bare) L->last->op = pauses_there(bare);
}

static void lower_expr_stmt(Lower *L, Node *s) {
  bool c = calls(s->a);
  Node *e = s->a;
  size_t temps = L->a->temps_used;
  if (c) yield_around(L, e, s->tok);
  lower_expression(L, s);
  if (c && L->a->auto_yield) put_auto_after(L, s->tok);
  L->a->temps_used = temps;
}

static bool length_pauses(Decl *d) {              // of an array of variable length
  for (Type *t = d->type; t && d->name; t = t->base)
    if (t->kind == TY_ARRAY && has(t->len_expr)) return true;
  return false;
}

static void lower_lengths(Lower *L, Decl *d) {
  for (Type *t = d->type; t; t = t->base)
    if (t->kind == TY_ARRAY && has(t->len_expr)) t->len_expr = lower_expr(L, t->len_expr);
}

static void lower_declaration(Lower *L, Node *s) {
  bool pauses = false;
  for (Decl *d = s->decl; d; d = d->next) pauses |= has(d->init) || length_pauses(d);
  if (!pauses) {
    for (Decl *d = s->decl; d; d = d->next) lower_inside(L, d->init);
    put_stmt(L, s);
    return;
  }
  for (Decl *d = s->decl, *next; d; d = next) {   // one declaration each, in order
    next = d->next;
    d->next = NULL;
    if (d->name) lower_lengths(L, d);
    if (d->init) d->init = lower_expr(L, d->init);
    Node *n = node_new(L->u, N_DECL, s->tok);
    n->decl = d;
    n->end = s->end;
    put_stmt(L, n);
  }
}

static bool vm_declared(Decl *d) {                // its lengths are read later on
  for (; d; d = d->next)
    if (d->type && type_is_vm(d->type)) return true;
  return false;
}

static void lower_decl(Lower *L, Node *s) {
  bool c = false;
  for (Decl *d = s->decl; d; d = d->next) c |= calls(d->init) && d->specs->storage != ST_STATIC;
  c = c && L->a->auto_yield;
  size_t temps = L->a->temps_used;
  if (c) put_auto(L, s->tok);
  lower_declaration(L, s);
  if (c) put_auto_after(L, s->tok);
  if (!vm_declared(s->decl)) L->a->temps_used = temps;
}

// A statement that begins right behind a full expression that may call.
static Node *sub_after(Lower *L, Node *s, bool called) {
  if (!called || !L->a->auto_yield || in_atomic(L)) return lower_sub(L, s);
  Opened o;
  open_list(L, &o);
  put_auto(L, s->tok);
  lower_stmt(L, s);
  return block_of(L, close_list(L, &o), s->tok, last_token(s));
}

// Where a temporary stands for a call now, parentheses around a comparison look like a mistake.
static Node *without_parens(Node *e) {
  Node *k = e;
  while (k->kind == N_PAREN) k = k->a;
  return k->kind == N_BINARY && (k->flags & NF_WAS_PAUSE) && k->op >= P_LT && k->op <= P_NE ? k : e;
}

// The yield behind a condition that calls, once, where the value is known: not in each branch and behind the statement.
// False: it has to be there, since the C compiler would say of the condition what the user did not do.
static bool yield_behind_condition(Lower *L, Node *s) {
  Node *call = L->last;
  if (in_atomic(L) || L->no_yields || s->a->kind == N_ASSIGN) return false;
  if (yields_behind(L, call) && unseen(s->a)) {
    call->op = 1;
    return true;
  }
  Symbol *t = new_temp(L, type_scalar(L->u, TY_INT), s->a->tok);
  put_stmt(L, assign_stmt(L, ident_node(L, t, s->a->tok), truth(L, s->a), s->a->tok));
  put_auto(L, s->tok);
  s->a = ident_node(L, t, s->a->tok);
  return true;
}

static void lower_if(Lower *L, Node *s) {
  bool c = calls(s->a) && L->a->auto_yield;
  size_t temps = L->a->temps_used;
  yield_around(L, s->a, s->tok);
  s->a = without_parens(lower_expr(L, s->a));
  if (c && yield_behind_condition(L, s)) c = false;
  L->a->temps_used = temps;
  s->b = sub_after(L, s->b, c);
  if (s->c) s->c = sub_after(L, s->c, c);
  put_stmt(L, s);
  if (c) put_auto(L, last_token(s));
}

static Node *exit_unless(Lower *L, Node *cond) {  // if (!(cond)) break;
  while (cond->kind == N_PAREN) cond = cond->a;
  Node *p = make_node(L, N_PAREN, cond->tok, cond, NULL), *not = make_node(L, N_UNARY, cond->tok, p, NULL);
  not->op = P_BANG;
  return make_node(L, N_IF, cond->tok, not, make_node(L, N_BREAK, cond->tok, NULL, NULL));
}

typedef struct Loop { Node *cond, *body, *step; Ident *next; bool cond_last; } Loop;

static Node *loop_body(Lower *L, Loop *k, TokIndex t) {
  Opened o;
  Nest here = {.outer = L->nest, .kind = NEST_LOOP, .next = k->next};
  L->nest = &here;
  open_list(L, &o);
  if (k->cond && !k->cond_last) {
    Node *c = lower_expr(L, k->cond);
    put_stmt(L, exit_unless(L, c));
    yield_around(L, k->cond, t);
  }
  lower_stmt(L, k->body);
  yield_in_loop(L, t);
  if (k->next) put_stmt(L, label_node(L, k->next, t));
  if (k->step) {
    put_value(L, k->step, NULL);
    yield_around(L, k->step, t);
  }
  if (k->cond && k->cond_last) {
    Node *c = lower_expr(L, k->cond);
    put_stmt(L, exit_unless(L, c));
    yield_around(L, k->cond, t);
  }
  L->nest = here.outer;
  return block_of(L, close_list(L, &o), t, last_token(k->body));
}

static Node *plain_body(Lower *L, Node *s, bool called, bool last) { // of a loop whose heading does not pause, but may call
  Nest here = {.outer = L->nest, .kind = NEST_LOOP};
  bool yields = ((called && L->a->auto_yield) || L->a->loop_yield);
  L->nest = &here;
  Node *b;
  if (yields && !in_atomic(L)) {
    Opened o;
    open_list(L, &o);
    if (!last) put_auto(L, s->tok);
    lower_stmt(L, s);
    if (last) put_auto(L, last_token(s));
    b = block_of(L, close_list(L, &o), s->tok, last_token(s));
  } else {
    b = lower_sub(L, s);
  }
  L->nest = here.outer;
  return b;
}

static void lower_while(Lower *L, Node *s) {
  bool is_do = s->kind == N_DO, c = calls(s->a);
  if (!is_do) yield_around(L, s->a, s->tok);
  if (!has(s->a)) {
    s->b = plain_body(L, s->b, c, is_do);
    put_stmt(L, s);
    if (c && L->a->auto_yield) put_auto(L, last_token(s));
    return;
  }
  Loop k = {.cond = s->a, .body = s->b, .next = is_do ? new_label(L) : NULL, .cond_last = is_do};
  Node *n = make_node(L, N_FOR, s->tok, NULL, NULL);
  n->d = loop_body(L, &k, s->tok);
  put_stmt(L, n);
}

static bool init_pauses(Node *init) {
  if (init && init->kind == N_EXPR) return has(init->a);
  for (Decl *d = init && init->kind == N_DECL ? init->decl : NULL; d; d = d->next)
    if (has(d->init)) return true;
  return false;
}

// { init; for (;;) { if (!cond) break; body; next: step; } }
static void endless_for(Lower *L, Node *s) {
  Opened o;
  open_list(L, &o);
  if (s->a) lower_stmt(L, s->a);
  Loop k = {.cond = s->b, .body = s->d, .step = s->c, .next = s->c ? new_label(L) : NULL};
  Node *n = make_node(L, N_FOR, s->tok, NULL, NULL);
  n->d = loop_body(L, &k, s->tok);
  put_stmt(L, n);
  Node *first = close_list(L, &o);
  put_stmt(L, block_of(L, first, s->tok, last_token(s)));
}

static void init_first(Lower *L, Node *s) {       // { init; for (; … ) }: several declarators cannot all become assignments there
  Node *init = s->a, *list = init;
  s->a = NULL;
  list->next = s;
  s->d = plain_body(L, s->d, calls(s->b) || calls(s->c), false);
  put_stmt(L, block_of(L, list, s->tok, last_token(s)));
}

static void lower_for(Lower *L, Node *s) {
  if (init_pauses(s->a) || has(s->b) || has(s->c)) {
    endless_for(L, s);
    return;
  }
  if (s->a && s->a->kind == N_EXPR) yield_around(L, s->a->a, s->tok);
  else yield_around(L, s->b, s->tok);
  bool several = !L->plain && s->a && s->a->kind == N_DECL && s->a->decl->next;
  if (several) {
    init_first(L, s);
    return;
  }
  s->d = plain_body(L, s->d, calls(s->b) || calls(s->c), false);
  put_stmt(L, s);
  if (calls(s->b) && L->a->auto_yield) put_auto(L, last_token(s));
}

static void lower_switch(Lower *L, Node *s) {
  Nest here = {.outer = L->nest, .kind = NEST_SWITCH};
  yield_around(L, s->a, s->tok);
  s->a = lower_expr(L, s->a);
  L->nest = &here;
  s->b = lower_sub(L, s->b);
  L->nest = here.outer;
  put_stmt(L, s);
}

static void lower_label(Lower *L, Node *s) {
  Node *body = behind_labels(s);
  put_labels(L, s);
  if (body) lower_stmt(L, body);
}

// With something to do first: the value waits in a variable.
static void return_later(Lower *L, Node *s) {
  bool kept = s->a && s->a->kind == N_IDENT && s->a->sym == L->ret;
  if (s->a && type_is_void(L->returned)) {
    put_stmt(L, make_node(L, N_EXPR, s->tok, s->a, NULL));
    s->a = NULL;
  } else if (s->a && !kept) {
    if (!L->ret) {
      L->ret = own_temp(L, L->returned, s->tok);
      L->ret->local->zeroed = true;
    }
    put_stmt(L, assign_stmt(L, ident_node(L, L->ret, s->tok), s->a, s->tok));
    s->a = ident_node(L, L->ret, s->tok);
  }
  leave_first(L, s, NULL);
}

static void lower_return(Lower *L, Node *s) {
  Node *e = s->a;
  yield_around(L, e, s->tok);
  while (e && e->kind == N_PAREN) e = e->a;
  bool same = !L->plain && e && has(e) && e->kind == N_CALL && pauses_there(e) && is_pause_call(e) && type_compatible(L->u, e->type, L->returned);
  if (same && !landing_here(L)) {
    lower_parts(L, e);
    Node *n = make_node(L, N_TAIL, s->tok, NULL, e);
    n->val = new_state(L->a, s->tok, WHY_TAIL);   // for frames that hold what others point at: not a tail call after all
    new_state(L->a, s->tok, WHY_AFTER);
    put_stmt(L, n);
    return;
  }
  if (s->a) s->a = lower_expr(L, s->a);
  if (s->a && s->a->kind == N_CODE) s->a = NULL;
  if (landing_here(L) && leaving_costs(L)) return_later(L, s);
  else put_stmt(L, s);
}

static void lower_jump(Lower *L, Node *s) {
  Nest *to = loop_around(L, s->kind == N_BREAK);
  if (leave_first(L, s, to)) return;
  if (s->kind == N_CONTINUE && to && to->next) {
    s->kind = N_GOTO;
    s->name = to->next;
  }
  put_stmt(L, s);
}

static bool inside(Range r, TokIndex t) { return r.from == r.to || (t >= r.from && t <= r.to); }

static void check_goto(Lower *L, Node *s, LabelPlace *k) {
  Nest *to = nest_around(L, k->tok);
  for (Nest *n = L->nest; n && n != to; n = n->outer)
    if (n->kind == NEST_CLEANUP) {
      error_at(L->u, s->tok, "no jump leaves `finally` or `defer`");
      return;
    }
  if (inside(k->region, s->tok)) return;
  error_at(L->u, s->tok, "this jumps to `%s` past what has to be done first there (a `defer`, a variable that is cleaned up, or the beginning of a `try`, `scope`, `shield` or `atomic`)", s->name->name);
  note_at(L->u, k->tok, "the label stands here");
}

static void lower_goto(Lower *L, Node *s) {
  LabelPlace *k = L->labels;
  while (k && k->name != s->name) k = k->next;
  bool ours = strncmp(s->name->name, "fm__", 4) == 0, unknown = !k && !L->plain && !L->local_labels && !ours;
  if (unknown && L->a->up) error_at(L->u, s->end - 1, "there is no label `%s` in this body of `activate`, and no jump can leave it", s->name->name);
  else if (unknown) error_at(L->u, s->end - 1, "there is no label `%s` in this function; no jump enters the body of `activate`", s->name->name);
  if (k) check_goto(L, s, k);
  if (k && leave_first(L, s, nest_around(L, k->tok))) return;
  put_stmt(L, s);
}

static void block_items(Lower *L, Node *s) {
  if (L->nest->group) lower_joined(L, s, L->nest->group, s->a);
  else lower_list_of(L, s->a);
}

static void lower_block(Lower *L, Node *s) {
  Nest here = {.outer = L->nest, .kind = NEST_BLOCK, .node = s, .group = s->op};
  L->nest = &here;
  s->a = gather(L, block_items, s);
  L->nest = here.outer;
  put_stmt(L, s);
}

static void lower_activate(Lower *L, Node *s) {
  for (size_t i = 0; i < L->a->inner.len; i++) {
    Async *b = L->a->inner.at[i];
    if (b->decl == s->decl) finish_async(b, s->d);
  }
  put_stmt(L, s);
}

void lower_stmt(Lower *L, Node *s) {
  switch (s->kind) {
  case N_COMPOUND: lower_block(L, s); break;
  case N_ACTIVATE: lower_activate(L, s); break;
  case N_GOTO: lower_goto(L, s); break;
  case N_EXPR: lower_expr_stmt(L, s); break;
  case N_DECL: lower_decl(L, s); break;
  case N_IF: lower_if(L, s); break;
  case N_WHILE: case N_DO: lower_while(L, s); break;
  case N_FOR: lower_for(L, s); break;
  case N_SWITCH: lower_switch(L, s); break;
  case N_CASE: case N_DEFAULT: case N_LABEL: lower_label(L, s); break;
  case N_RETURN: lower_return(L, s); break;
  case N_GOTO_COMPUTED:
    if (leaving_costs(L))
      error_at(L->u, s->tok, "where this `goto` leads is not known: it cannot stand where something has to be done first (behind a `defer`, in a `try` with `finally`, `atomic` …)");
    put_stmt(L, s);
    break;
  case N_BREAK: case N_CONTINUE: lower_jump(L, s); break;
  case N_ATOMIC: lower_atomic(L, s); break;
  case N_THROW: lower_throw(L, s); break;
  case N_TRY: lower_try(L, s); break;
  case N_DEFER: lower_defer(L, s, NULL); break;
  case N_SHIELD: lower_shield(L, s); break;
  case N_SCOPE: lower_scope(L, s); break;
  case N_RACE: lower_race(L, s); break;
  case N_YIELD:
    if (s->flags & NF_PAUSE) {
      s->val = new_state(L->a, s->tok, WHY_YIELD);
      s->d = landing(L, s->tok);
      if (s->d) L->a->states[s->val].landing = s->d->name;
    }
    put_stmt(L, s);
    break;
  default: put_stmt(L, s); break;
  }
}

void lower_async(Async *a, Node *body) {
  Lower L = {.u = a->u, .a = a, .returned = a->type->base};
  new_state(a, body->tok, WHY_START);             // 0: the beginning
  find_groups(a, body, NULL);
  find_labels(&L, body);
  a->body = gather(&L, lower_stmt, body);
  merge_yields(a);
}

Node *lower_plain(Async *a, Node *body, bool atomic) {
  Lower L = {.u = a->u, .a = a, .returned = a->type->base, .plain = true};
  find_labels(&L, body);
  if (atomic) {                                   // an atomic function: its whole body is
    Node *n = make_node(&L, N_ATOMIC, body->tok, body, NULL);
    n->end = body->end;
    body = block_of(&L, n, body->tok, body->end);
  }
  return gather(&L, lower_stmt, body);
}
