// lower-exit.c: lowers the constructs that are regions (regions.c) but have nothing to do with
// errors: defer and variables with the cleanup attribute, blocks that wait for activities, atomic,
// shield, scope, within.
#include "lower/lowering.h"

// ---- defer and the cleanup attribute: the rest of the block is the region ----
// Returns the rest of a block, lowered, as a block of its own.
static Node *rest_block(Lower *L, Node *rest, TokIndex t) {
  Opened o;
  open_list(L, &o);
  lower_list_of(L, rest);
  return block_of(L, close_list(L, &o), t, t);
}

static TokIndex end_of_list(Node *rest, TokIndex t) {
  for (; rest; rest = rest->next)
    t = last_token(rest);
  return t;
}

// Returns a node with the extent of the region: from s to the end of the block.
static Node *place_of(Lower *L, Node *s, Node *rest) {
  Node *n = node_new(L->u, N_EMPTY, s->tok);
  n->end = end_of_list(rest, last_token(s));
  return n;
}

static Nest *block_around(Lower *L) {
  Nest *n = L->nest;
  while (n && n->kind != NEST_BLOCK)
    n = n->outer;
  return n;
}

// Puts the rest of the block. If the block waits for activities, they end at the end of the rest,
// so that the cleanup of s comes after them.
static void put_rest(Lower *L, Node *s, Node *rest) {
  Nest *b = block_around(L);
  if (b && b->group)
    lower_joined(L, place_of(L, s, rest), b->group, rest);
  else
    put_stmt(L, rest_block(L, rest, s->end));
}

void lower_defer(Lower *L, Node *s, Node *rest) {
  Nest here;
  TokIndex end = end_of_list(rest, s->end);
  open_region(L, &here, place_of(L, s, rest));
  put_rest(L, s, rest);
  end_region(L, &here, end);
  put_cleanup(L, &here, s->a);
  go_on(L, &here, end);
}

// f(&variable), where f is the function that the attribute names
static Node *cleanup_call(Lower *L, Decl *d, TokIndex t) {
  Node *function = ident_node(L, d->cleanup, t);
  Node *call = make_node(L, N_CALL, t, function, address_node(L, d->sym, t));
  call->type = type_scalar(L->u, TY_VOID);
  return call;
}

static void put_cleanup_call(Lower *L, Nest *region, Decl *d, TokIndex t) {
  Node *call = cleanup_call(L, d, t);
  Type *f = canon(d->cleanup->type);
  bool is_async = f->kind == TY_FUNC && f->is_async;
  bool throws = f->kind == TY_FUNC && f->throws;
  if (!is_async && !throws) {
    put_expr(L, call, t);
    return;
  }
  call->flags |= NF_PAUSE;
  if (is_async)
    call->flags |= NF_ASYNC;
  if (throws)
    call->flags |= NF_THROWS;
  put_cleanup(L, region, make_node(L, N_EXPR, t, call, NULL));
}

void lower_cleanups(Lower *L, Node *s, Decl **list, int n, Node *rest) {
  Nest here;
  TokIndex end = end_of_list(rest, s->end);
  open_region(L, &here, place_of(L, s, rest));
  if (n > 1)
    lower_cleanups(L, s, list + 1, n - 1, rest);
  else
    put_rest(L, s, rest);
  end_region(L, &here, end);
  put_cleanup_call(L, &here, list[0], end);
  go_on(L, &here, end);
}

// ---- blocks that wait for the activities that share their variables ----
// Puts the wait for the activities of the group.
static void put_join(Lower *L, Nest *region, int group, TokIndex t) {
  char text[40];
  snprintf(text, sizeof text, "&fm__f->fm__g%d", group - 1);
  // the variables are about to go: nobody waits for what these activities would still compute
  if (region->landed) {
    Opened o;
    open_list(L, &o);
    put_rt(L, "fm__cancel_group", t, RT_DOMAIN, code_node(L, t, text));
    put_if_error(L, region, close_list(L, &o), t);
  }
  put_wait(L, "fm__join_group", t, code_node(L, t, text), WHY_JOIN);
}

void lower_joined(Lower *L, Node *place, int group, Node *rest) {
  Nest here;
  TokIndex end = place->end;
  open_region(L, &here, place);
  put_stmt(L, rest_block(L, rest, end));
  end_region(L, &here, end);
  put_join(L, &here, group, end);
  go_on(L, &here, end);
}

// ---- atomic, shield ----
// Begins an atomic, and the region whose cleanup leaves it. An atomic is a shield as well if a
// cancel can unwind code in it or around it: then a cancel of the code around it does not reach the
// code inside. This is known only at its end; so there is room for the call before it.
static void open_atomic(Lower *L, Nest *region, Nest *atomic, Node *s) {
  bool shields = meets_cancels(L);
  Node *shield = node_new(L->u, N_EMPTY, s->tok);
  put_stmt(L, shield);
  put_rt(L, "fm__atomic_enter", s->tok, RT_BARE, NULL);
  open_region(L, region, s);
  *atomic = (Nest){
    .outer = L->nest,
    .kind = NEST_ATOMIC,
    .node = s,
  };
  atomic->init = shield;
  atomic->shields = shields;
  L->nest = atomic;
}

void atomic_shields(Lower *L) {
  Nest *n = L->nest;
  while (n && n->kind != NEST_ATOMIC)
    n = n->outer;
  if (n)
    n->shields = true;
}

// Puts the call where open_atomic() has left room for it.
static void put_shield(Lower *L, Node *place) {
  Node *next = place->next;
  Node *enter = rt_call(L, "fm__shield_enter", place->tok, RT_SHIELD, NULL);
  *place = *make_node(L, N_EXPR, place->tok, enter, NULL);
  place->next = next;
}

// Ends the atomic that open_atomic() has begun.
static void
close_atomic(Lower *L, Nest *region, Nest *atomic, Node *body, TokIndex end) {
  L->nest = atomic->outer;
  put_stmt(L, body);
  end_region(L, region, end);
  Node *here = rt_call(L, "fm__here", end, RT_BARE, NULL);
  put_rt(L, "fm__atomic_leave", end, RT_BARE, here);
  if (atomic->shields) {
    put_shield(L, atomic->init);
    put_rt(L, "fm__shield_leave", end, RT_SHIELD, NULL);
  }
  go_on(L, region, end);
}

void lower_atomic(Lower *L, Node *s) {
  Nest here;
  Nest atomic;
  open_atomic(L, &here, &atomic, s);
  close_atomic(L, &here, &atomic, lower_sub(L, s->a), s->end);
}

Node *lower_atomic_expr(Lower *L, Node *e) {
  Nest here;
  Nest atomic;
  TokIndex end = last_token(e);
  Symbol *value = type_is_void(e->type) ? NULL : new_temp(L, e->type, e->tok);
  open_atomic(L, &here, &atomic, e);
  close_atomic(L, &here, &atomic, branch(L, e->a, value), end);
  return value_node(L, value, e->tok);
}

// Returns the lowered body s of the scope or shield `inner`.
static Node *lower_body_of(Lower *L, Node *s, Nest inner) {
  inner.outer = L->nest;
  inner.node = s;
  L->nest = &inner;
  Node *body = lower_sub(L, s);
  L->nest = inner.outer;
  return body;
}

void lower_shield(Lower *L, Node *s) {
  Nest here;
  put_rt(L, "fm__shield_enter", s->tok, RT_SHIELD, NULL);
  open_region(L, &here, s);
  put_stmt(L, lower_body_of(L, s->a, (Nest){ .kind = NEST_SHIELD }));
  end_region(L, &here, s->end);
  put_rt(L, "fm__shield_leave", s->end, RT_SHIELD, NULL);
  go_on(L, &here, s->end);
}

// ---- scope ----
// Puts the end of a scope and returns the variable `over`:
//
//     over = 0;
//     if (fm__scope_stays(err)) {
//       fm__scope_end(err); over = fm__scope_leave(&err); if (err) rethrow err;
//     }
//
// fm__scope_stays() is false if nothing is left to wait for. fm__scope_leave() replaces err by an
// error of a child. `over` is set if the scope itself was cancelled while something ran in it: then
// the scope's `else` runs.
static Symbol *put_scope_end(Lower *L, Nest *region, TokIndex t) {
  Symbol *err = region->err;
  Symbol *over = own_temp(L, type_scalar(L->u, TY_INT), t);
  Opened stays;
  Opened o;
  put_assign(L, over, number_node(L, 0, t), t);
  open_list(L, &stays);
  put_wait(L, "fm__scope_end", t, ident_node(L, err, t), WHY_JOIN);
  Node *leave = int_call(L, "fm__scope_leave", t, address_node(L, err, t));
  put_assign(L, over, leave, t);
  open_list(L, &o);
  put_rethrow(L, err, t);
  put_if(L, ident_node(L, err, t), close_list(L, &o), t);
  Node *list = close_list(L, &stays);
  Node *asks = int_call(L, "fm__scope_stays", t, ident_node(L, err, t));
  put_if(L, asks, list, t);
  return over;
}

// Declares the scope's variable and enters the scope.
static void put_scope_enter(Lower *L, Node *s) {
  Node *handle = NULL;
  if (s->decl) {
    Node *d = node_new(L->u, N_DECL, s->tok);
    d->decl = s->decl;
    put_stmt(L, d);
    handle = address_node(L, s->decl->sym, s->tok);
  }
  Node *none = handle ? NULL : number_node(L, 0, s->tok);
  put_rt(L, "fm__scope_enter", s->tok, RT_DOMAIN, handle ? handle : none);
}

// Registers the clauses `catch each` n of a scope, which are a function of their own.
static void put_each(Lower *L, const Node *n) {
  const char *name = n->decl->name->name;
  Async *body = inner_async(L->a, n->decl);
  if (!body)
    return;
  lower_async(body);
  const char *text = arena_printf(&L->u->arena,
                                  "%s__fm_start, &%s__fm_code, &fm__f->fm__h",
                                  name,
                                  name);
  put_rt(L, "fm__scope_each", n->tok, RT_DOMAIN, code_node(L, n->tok, text));
}

void lower_scope(Lower *L, Node *s) {
  Nest here;
  Opened o;
  Opened outer;
  TokIndex end = last_token(s->a);
  open_list(L, &outer);
  put_scope_enter(L, s);
  if (s->c)
    put_each(L, s->c);
  atomic_shields(L);
  open_region(L, &here, s->a);
  put_stmt(L, lower_body_of(L, s->a, (Nest){ .kind = NEST_SCOPE }));
  end_region(L, &here, end);
  Symbol *over = put_scope_end(L, &here, end);
  here.landed = false; // put_scope_end() throws errors on
  Node *n = make_node(L, N_IF, end, ident_node(L, over, end), NULL);
  n->b = s->b ? lower_sub(L, s->b) : block_of(L, NULL, end, end);
  open_list(L, &o);
  go_on(L, &here, end);
  Node *list = close_list(L, &o);
  if (list)
    n->c = block_of(L, list, end, end);
  put_stmt(L, n);
  put_stmt(L, block_of(L, close_list(L, &outer), s->tok, s->end));
}

// scope { fm__scope_limit(time); value = call; } else throw that it is late
Node *lower_within(Lower *L, Node *e) {
  TokIndex t = e->tok;
  Symbol *value = type_is_void(e->type) ? NULL : new_temp(L, e->type, t);
  Node *limit =
      rt_call(L, "fm__scope_limit", t, RT_DOMAIN, lower_expr(L, e->a));
  Node *first = make_node(L, N_EXPR, t, limit, NULL);
  Node *body = e->b;
  if (value) {
    body = assign_node(L, ident_node(L, value, t), e->b, t);
    body->flags = e->b->flags & NF_PAUSE;
  }
  first->next = make_node(L, N_EXPR, t, body, NULL);
  Node *late = make_node(L, N_EXPR, t, e->c, NULL);
  Node *block = block_of(L, first, t, e->end);
  block->val = INT32_MAX; // no variable of an activate belongs to it
  Node *s = make_node(L, N_SCOPE, t, block, late);
  s->end = e->end;
  lower_scope(L, s);
  return value_node(L, value, t);
}
