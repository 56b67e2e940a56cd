// lower-exit.c: everything that is to be done when code is left: try, catch, finally, defer, scope,
// shield, atomic, variables with the cleanup attribute, blocks that wait for activities.
//
// All of them are regions. A region's cleanup stands once, behind it; who leaves the region says
// why and goes there, and behind the cleanup the way goes on:
//
//     why = 0; err = 0;
//     { … }          in it: a jump out is { why = 2; goto after; }, an error goes to the landing
//     if (0) { landing: err = caught; why = 1; }
//     after: cleanup
//     if (why == 1) rethrow err; if (why == 2) jump …
//
// The jump that goes on is lowered once more, in what is around the region; so it passes through
// one region after another.
#include "lower/lowering.h"

// ---- calls of the runtime ----
static Node *number(Lower *L, long v, TokIndex t) {
  char text[24];
  snprintf(text, sizeof text, "%ld", v);
  Node *n = code_node(L, t, text);
  n->type = type_scalar(L->u, TY_INT);
  return n;
}

Node *rt_call(Lower *L, const char *name, TokIndex t, bool domain, Node *args) {
  Node *n = make_node(L, N_RT, t, NULL, args);
  n->name = intern(L->u, name, strlen(name));
  n->op = domain ? RT_DOMAIN : RT_BARE;
  n->type = type_scalar(L->u, TY_VOID);
  return n;
}

void put_rt(Lower *L, const char *name, TokIndex t, bool domain, Node *args) {
  put_stmt(L, make_node(L, N_EXPR, t, rt_call(L, name, t, domain, args), NULL));
}

void put_wait(Lower *L, const char *name, TokIndex t, Node *args, Why why) {
  Node *n = make_node(L, N_PAUSE, t, NULL, rt_call(L, name, t, true, args));
  if (in_atomic(L)) { // everyone else waits too
    n->b->flags |= NF_ATOMIC;
    bool looks =
        why != WHY_JOIN ? meets_cancels(L) : strcmp(name, "fm__race_wait") == 0;
    if (looks)
      n->flags |= NF_ATOMIC;
  }
  n->d = landing(L, t);
  note_throwing(L, NULL);
  if (!L->plain)
    n->val = new_state(L->a, t, why);
  if (n->d && !L->plain)
    L->a->states[n->val].landing = n->d->name;
  put_stmt(L, n);
}

// a list of arguments
static Node *then(Node *a, Node *b) {
  a->next = b;
  return a;
}

// fm_error *
static Type *error_pointer(Lower *L) {
  Symbol *s = intern(L->u, "fm_error", 8)->sym;
  if (!s || s->kind != S_TYPEDEF)
    return type_pointer(L->u, type_scalar(L->u, TY_VOID));
  Type *t = type_sugar(L->u, TY_TYPEDEF, s->type);
  t->sym = s;
  return type_pointer(L->u, t);
}

// ---- where errors go ----
Node *landing(Lower *L, TokIndex t) {
  Nest *n = L->nest;
  while (n && n->kind != NEST_TRY && n->kind != NEST_REGION)
    n = n->outer;
  if (!n)
    return NULL;
  n->landed = true;
  if (L->a)
    L->a->landings++;
  Node *g = node_new(L->u, N_GOTO, t);
  g->name = n->landing;
  return g;
}

static Node *equals(Lower *L, Symbol *s, int v, TokIndex t) {
  Node *n = make_node(L, N_BINARY, t, ident_node(L, s, t), number(L, v, t));
  n->op = P_EQ;
  n->type = type_scalar(L->u, TY_INT);
  return n;
}

static void put_if(Lower *L, Node *cond, Node *list, TokIndex t) {
  put_stmt(L, make_node(L, N_IF, t, cond, block_of(L, list, t, t)));
}

static void put_rethrow(Lower *L, Symbol *err, TokIndex t) {
  Node *n = make_node(L, N_RETHROW, t, ident_node(L, err, t), NULL);
  if (L->a && !L->plain)
    n->val = new_state(L->a, t, WHY_THROW);
  n->d = landing(L, t);
  put_stmt(L, n);
}

// err = fm__caught(c)
static void put_caught(Lower *L, Symbol *err, TokIndex t) {
  put_stmt(L,
           assign_stmt(L,
                       ident_node(L, err, t),
                       rt_call(L, "fm__caught", t, true, NULL),
                       t));
}

// if (0) { landing: …; }
static void put_landing(Lower *L, Ident *name, Node *list, TokIndex t) {
  Node *l = label_node(L, name, t);
  l->next = list;
  put_if(L, number(L, 0, t), l, t);
}

// ---- whether the end of some statements may be reached; in doubt, it may ----
// out of the loop whose body it is
static bool breaks(const Node *s) {
  if (!s)
    return false;
  switch (s->kind) {
  case N_BREAK:
    return true;
  case N_COMPOUND:
    for (const Node *k = s->a; k; k = k->next)
      if (breaks(k))
        return true;
    return false;
  case N_IF:
    return breaks(s->b) || breaks(s->c);
  case N_CASE:
  case N_DEFAULT:
  case N_LABEL:
    return breaks(s->c);
  default:
    return false;
  }
}

// by a jump, or a call that does not return
bool ends(const Node *s) {
  if (!s)
    return false;
  switch (s->kind) {
  case N_RETURN:
  case N_TAIL:
  case N_GOTO:
  case N_GOTO_COMPUTED:
  case N_BREAK:
  case N_CONTINUE:
  case N_THROW:
  case N_RETHROW:
    return true;
  case N_EXPR:
    return never_returns(s->a);
  case N_PAUSE:
    return never_returns(s->b);
  case N_COMPOUND: {
    const Node *last = s->a;
    while (last && last->next)
      last = last->next;
    return ends(last);
  }
  case N_IF:
    return s->c && ends(s->b) && ends(s->c);
  case N_FOR:
    return !s->b && !breaks(s->d);
  case N_WHILE:
    return (s->a->flags & NF_CONST) && s->a->val && !breaks(s->b);
  case N_CASE:
  case N_DEFAULT:
  case N_LABEL:
    return ends(s->c);
  default:
    return false;
  }
}

// ---- regions ----
static void open_region(Lower *L, Nest *n, Node *place) {
  *n = (Nest){ .outer = L->nest, .kind = NEST_REGION, .node = place };
  n->why = own_temp(L, type_scalar(L->u, TY_INT), place->tok);
  n->err = own_temp(L, error_pointer(L), place->tok);
  n->after = new_label(L);
  n->landing = new_label(L);
  n->exits_tail = &n->exits;
  n->init = node_new(L->u, N_EMPTY, place->tok);
  put_stmt(L, n->init);
  L->nest = n;
}

// why = 0; err = 0;
static void init_region(Lower *L, Nest *n, TokIndex t) {
  Node *why = assign_stmt(L, ident_node(L, n->why, t), number(L, 0, t), t);
  Node *err = assign_stmt(L, ident_node(L, n->err, t), number(L, 0, t), t);
  Node *next = n->init->next;
  why->next = err;
  *n->init = *block_of(L, why, t, t);
  n->init->next = next;
}

// its body is done; what is put now is the cleanup
static void end_region(Lower *L, Nest *n, TokIndex t) {
  L->nest = n->outer;
  n->falls = !ends(L->last);
  init_region(L, n, n->init->tok);
  if (n->landed) {
    Opened o;
    open_list(L, &o);
    put_caught(L, n->err, t);
    put_stmt(L, assign_stmt(L, ident_node(L, n->why, t), number(L, 1, t), t));
    Node *list = close_list(L, &o);
    put_landing(L, n->landing, list, t);
  }
  put_stmt(L, label_node(L, n->after, t));
}

// if that is why; the last may be the only way left
static void
put_choice(Lower *L, Nest *n, int why, Node *list, bool last, TokIndex t) {
  if (last && !n->falls)
    put_stmt(L, block_of(L, list, t, t));
  else
    put_if(L, equals(L, n->why, why, t), list, t);
}

// behind the cleanup
static void go_on(Lower *L, Nest *n, TokIndex t) {
  Opened o;
  if (n->landed) {
    open_list(L, &o);
    put_rethrow(L, n->err, t);
    put_choice(L, n, 1, close_list(L, &o), !n->exits, t);
  }
  for (Exit *k = n->exits; k; k = k->next) {
    open_list(L, &o);
    lower_stmt(L, k->jump);
    put_choice(L, n, k->number, close_list(L, &o), !k->next, t);
  }
}

// ---- jumps ----
static bool same_jump(const Node *a, const Node *b) {
  return a->kind == b->kind && (a->kind != N_GOTO || a->name == b->name);
}

static int exit_number(Lower *L, Nest *n, Node *jump) {
  for (Exit *k = n->exits; k; k = k->next)
    if (same_jump(k->jump, jump))
      return k->number;
  Exit *k = NEW(&L->u->arena, Exit);
  Node *copy = NEW(&L->u->arena, Node);
  *copy = *jump;
  copy->next = NULL;
  *k = (Exit){ copy, 2 + n->nexits++, NULL };
  *n->exits_tail = k;
  n->exits_tail = &k->next;
  return k->number;
}

bool landing_here(Lower *L) {
  Nest *n = L->nest;
  while (n && n->kind != NEST_TRY && n->kind != NEST_REGION)
    n = n->outer;
  return n;
}

bool leaving_costs(Lower *L) {
  for (Nest *n = L->nest; n; n = n->outer)
    if (n->kind == NEST_REGION)
      return true;
  return false;
}

bool leave_first(Lower *L, Node *jump, Nest *until) {
  Nest *n = L->nest;
  while (n && n != until && n->kind != NEST_REGION)
    n = n->outer;
  if (!n || n == until)
    return false;
  put_stmt(L,
           assign_stmt(L,
                       ident_node(L, n->why, jump->tok),
                       number(L, exit_number(L, n, jump), jump->tok),
                       jump->tok));
  Node *g = node_new(L->u, N_GOTO, jump->tok);
  g->name = n->after;
  put_stmt(L, g);
  return true;
}

// ---- cleanups that may pause or throw ----
// in the lowered statements: another activity may run meanwhile
static bool may_pause(Lower *L, Node *list) {
  for (Node *s = list; s; s = s->next) {
    switch (s->kind) {
    case N_PAUSE:
      if (!(s->b->flags & NF_ATOMIC) &&
          (s->b->kind != N_CALL || (s->b->flags & NF_ASYNC)) &&
          s->b->kind != N_RUN)
        return true;
      break;
    case N_YIELD:
    case N_TAIL:
    case N_ACTIVATE:
      return true;
    case N_COMPOUND:
      if (may_pause(L, s->a))
        return true;
      break;
    case N_IF:
      if (may_pause(L, s->b) || (s->c && may_pause(L, s->c)))
        return true;
      break;
    case N_WHILE:
    case N_DO:
    case N_SWITCH:
      if (may_pause(L, s->b))
        return true;
      break;
    case N_FOR:
      if (may_pause(L, s->d))
        return true;
      break;
    case N_CASE:
    case N_DEFAULT:
    case N_LABEL:
      if (s->c && may_pause(L, s->c))
        return true;
      break;
    default:
      break;
    }
  }
  return false;
}

// The statement of a finally or defer. An error that it throws takes the place of the one on its
// way; a cancel goes on, and carries it. Where it may pause it is shielded.
static void put_cleanup(Lower *L, Nest *region, Node *s) {
  TokIndex t = s->tok, end = last_token(s);
  Nest here = {
    .outer = L->nest, .kind = NEST_TRY, .node = s, .landing = new_label(L)
  };
  Nest fence = { .outer = &here, .kind = NEST_CLEANUP, .node = s };
  Symbol *caught = L->caught;
  Opened o;
  L->nest = &fence;
  L->caught = NULL;
  open_list(L, &o);
  lower_stmt(L, s);
  Node *list = close_list(L, &o);
  L->nest = here.outer;
  L->caught = caught;
  bool shielded =
      !L->plain && (in_atomic(L) ? meets_cancels(L) : may_pause(L, list));
  if (shielded)
    put_rt(L, "fm__shield_enter", t, true, NULL);
  put_stmt(L, block_of(L, list, t, end));
  if (shielded)
    put_rt(L, "fm__shield_leave", end, true, NULL);
  if (!here.landed)
    return;
  Symbol *err = own_temp(L, error_pointer(L), end);
  open_list(L, &o);
  put_caught(L, err, end);
  if (shielded)
    put_rt(L, "fm__shield_leave", end, true, NULL);
  put_stmt(L,
           assign_stmt(L,
                       ident_node(L, err, end),
                       rt_call(L,
                               "fm__replaced",
                               end,
                               false,
                               then(ident_node(L, region->err, end),
                                    ident_node(L, err, end))),
                       end));
  put_rethrow(L, err, end);
  list = close_list(L, &o);
  put_landing(L, here.landing, list, end);
}

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

// from s to the end of the block
static Node *place_of(Lower *L, Node *s, Node *rest) {
  Node *n = node_new(L->u, N_EMPTY, s->tok);
  n->end = end_of_list(rest, last_token(s));
  return n;
}

// ---- defer, and its relatives ----
static Nest *block_around(Lower *L) {
  Nest *n = L->nest;
  while (n && n->kind != NEST_BLOCK)
    n = n->outer;
  return n;
}

// In a block that waits for activities: they end before what stands around is cleaned up.
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

void lower_cleanups(Lower *L, Node *s, Decl **list, int n, Node *rest) {
  Decl *d = list[0];
  Nest here;
  TokIndex end = end_of_list(rest, s->end);
  open_region(L, &here, place_of(L, s, rest));
  if (n > 1)
    lower_cleanups(L, s, list + 1, n - 1, rest);
  else
    put_rest(L, s, rest);
  end_region(L, &here, end);
  Node *v = ident_node(L, d->sym, end),
       *a = make_node(L, N_UNARY, end, v, NULL); // f(&variable)
  a->op = P_AMP;
  a->type = type_pointer(L->u, v->type);
  Node *call = make_node(L, N_CALL, end, ident_node(L, d->cleanup, end), a);
  call->type = type_scalar(L->u, TY_VOID);
  Node *stmt = make_node(L, N_EXPR, end, call, NULL);
  Type *f = canon(d->cleanup->type);
  if (f->kind == TY_FUNC && (f->is_async || f->throws)) { // as a defer
    call->flags |= (uint16_t)(NF_PAUSE | (f->is_async ? NF_ASYNC : 0) |
                              (f->throws ? NF_THROWS : 0));
    put_cleanup(L, &here, stmt);
  } else {
    put_stmt(L, stmt);
  }
  go_on(L, &here, end);
}

// ---- blocks that wait for the activities which share their variables ----
static void put_join(Lower *L, Nest *region, int group, TokIndex t) {
  char text[40];
  snprintf(text, sizeof text, "&fm__f->fm__g%d", group - 1);
  // an error or a cancel: those that share the block's variables are cancelled first
  if (region->landed) {
    Opened o;
    open_list(L, &o);
    put_rt(L, "fm__cancel_group", t, true, code_node(L, t, text));
    Node *list = close_list(L, &o);
    put_if(L, equals(L, region->why, 1, t), list, t);
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
// Where something in it, or something that it stands in, meets cancels it is a shield as well: a
// cancel of what is around stops there.
static void open_atomic(Lower *L, Nest *region, Nest *atomic, Node *s) {
  bool shields = meets_cancels(L);
  Node *shield = node_new(L->u, N_EMPTY, s->tok);
  put_stmt(L, shield);
  put_rt(L, "fm__atomic_enter", s->tok, false, NULL);
  open_region(L, region, s);
  *atomic = (Nest){ .outer = L->nest, .kind = NEST_ATOMIC, .node = s };
  atomic->init = shield;
  atomic->shields = shields;
  L->nest = atomic;
}

// the atomic around, if there is one
static void atomic_shields(Lower *L) {
  Nest *n = L->nest;
  while (n && n->kind != NEST_ATOMIC)
    n = n->outer;
  if (n)
    n->shields = true;
}

// where open_atomic has left room for it
static void put_shield(Lower *L, Node *place) {
  Node *next = place->next;
  Node *enter = rt_call(L, "fm__shield_enter", place->tok, true, NULL);
  *place = *make_node(L, N_EXPR, place->tok, enter, NULL);
  place->next = next;
}

static void
close_atomic(Lower *L, Nest *region, Nest *atomic, Node *body, TokIndex end) {
  L->nest = atomic->outer;
  put_stmt(L, body);
  end_region(L, region, end);
  put_rt(L,
         "fm__atomic_leave",
         end,
         false,
         rt_call(L, "fm__here", end, false, NULL));
  if (atomic->shields) {
    put_shield(L, atomic->init);
    put_rt(L, "fm__shield_leave", end, true, NULL);
  }
  go_on(L, region, end);
}

void lower_atomic(Lower *L, Node *s) {
  Nest here, atomic;
  open_atomic(L, &here, &atomic, s);
  close_atomic(L, &here, &atomic, lower_sub(L, s->a), s->end);
}

Node *lower_atomic_expr(Lower *L, Node *e) {
  Nest here, atomic;
  TokIndex end = last_token(e);
  Symbol *value = type_is_void(e->type) ? NULL : new_temp(L, e->type, e->tok);
  open_atomic(L, &here, &atomic, e);
  close_atomic(L, &here, &atomic, branch(L, e->a, value), end);
  return value ? ident_node(L, value, e->tok) : code_node(L, e->tok, "(void)0");
}

// the body of a scope or shield
static Node *lower_marked(Lower *L, Node *s, Nest inner) {
  inner.outer = L->nest;
  inner.node = s;
  L->nest = &inner;
  Node *body = lower_sub(L, s);
  L->nest = inner.outer;
  return body;
}

void lower_shield(Lower *L, Node *s) {
  Nest here;
  put_rt(L, "fm__shield_enter", s->tok, true, NULL);
  open_region(L, &here, s);
  put_stmt(L, lower_marked(L, s->a, (Nest){ .kind = NEST_SHIELD }));
  end_region(L, &here, s->end);
  put_rt(L, "fm__shield_leave", s->end, true, NULL);
  go_on(L, &here, s->end);
}

// ---- scope ----
static Node *address(Lower *L, Symbol *s, TokIndex t) {
  Node *n = make_node(L, N_UNARY, t, ident_node(L, s, t), NULL);
  n->op = P_AMP;
  n->type = type_pointer(L->u, s->type);
  return n;
}

// over = 0; if (it does not simply go) { wait; err = what the children threw, if they did; if (err)
// throw it } `over`: the scope itself was cancelled, which cut something short, and `else` runs.
static Symbol *put_scope_end(Lower *L, Nest *region, TokIndex t) {
  Type *integer = type_scalar(L->u, TY_INT);
  Symbol *over = own_temp(L, integer, t);
  Opened stays, o;
  put_stmt(L, assign_stmt(L, ident_node(L, over, t), number(L, 0, t), t));
  open_list(L, &stays);
  put_wait(L, "fm__scope_end", t, ident_node(L, region->err, t), WHY_JOIN);
  Node *leave =
      rt_call(L, "fm__scope_leave", t, true, address(L, region->err, t));
  leave->type = integer;
  put_stmt(L, assign_stmt(L, ident_node(L, over, t), leave, t));
  open_list(L, &o);
  put_rethrow(L, region->err, t);
  Node *list = close_list(L, &o);
  put_if(L, ident_node(L, region->err, t), list, t);
  list = close_list(L, &stays);
  Node *asks =
      rt_call(L, "fm__scope_stays", t, true, ident_node(L, region->err, t));
  asks->type = integer;
  put_if(L, asks, list, t);
  return over;
}

void lower_scope(Lower *L, Node *s) {
  Nest here;
  Opened o, outer;
  open_list(L, &outer);
  if (s->decl) {
    Node *d = node_new(L->u, N_DECL, s->tok);
    d->decl = s->decl;
    put_stmt(L, d);
  }
  put_rt(L,
         "fm__scope_enter",
         s->tok,
         true,
         s->decl ? address(L, s->decl->sym, s->tok) : number(L, 0, s->tok));
  atomic_shields(L);
  open_region(L, &here, s->a);
  put_stmt(L, lower_marked(L, s->a, (Nest){ .kind = NEST_SCOPE }));
  TokIndex end = last_token(s->a);
  end_region(L, &here, end);
  Symbol *over = put_scope_end(L, &here, end);
  here.landed = false; // errors have gone on already
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

// ---- race ----
// t0 = … ; if (the race is open) t0 = spawn now arm 0; …; wait; switch (the winner) { case 0: x =
// await t0; statements; break; … }
static Async *body_of(Lower *L, Decl *d) {
  for (size_t i = 0; i < L->a->inner.len; i++)
    if (((Async *)L->a->inner.at[i])->decl == d)
      return L->a->inner.at[i];
  return NULL;
}

static void start_arm(Lower *L, Node *arm, Symbol *task) {
  TokIndex t = arm->tok;
  Opened o;
  Node *spawn = make_node(L, N_SPAWN, t, arm, NULL),
       *open = rt_call(L, "fm__race_open", t, true, NULL);
  lower_async(body_of(L, arm->decl));
  spawn->op = SPAWN_NOW | SPAWN_ARM;
  spawn->type = task->type;
  open->type = type_scalar(L->u, TY_INT);
  put_stmt(L,
           assign_stmt(
               L, ident_node(L, task, t), code_node(L, t, "(fm_task){0}"), t));
  open_list(L, &o);
  Node *n = make_node(L, N_PAUSE, t, ident_node(L, task, t), spawn);
  n->val = new_state(L->a, t, WHY_CALL);
  put_stmt(L, n);
  Node *list = close_list(L, &o);
  put_if(L, open, list, t);
}

// case i: x = await t; statements; break;
static Node *won(Lower *L, Node *arm, Symbol *task, int i) {
  TokIndex t = arm->tok;
  // one of them has won
  Node *label = arm->next ? make_node(L, N_CASE, t, number(L, i, t), NULL)
                          : node_new(L->u, N_DEFAULT, t);
  Node *e = make_node(L, N_AWAIT, t, ident_node(L, task, t), NULL);
  e->type = arm->decl->type->base;
  e->flags = NF_PAUSE | (in_atomic(L) ? NF_ATOMIC : 0);
  if (arm->b) {
    Node *to = make_node(L, N_ASSIGN, t, arm->b, e);
    to->op = P_ASSIGN;
    to->type = arm->b->type;
    to->flags = NF_PAUSE;
    e = to;
  }
  Node *take = make_node(L, N_EXPR, t, e, NULL),
       *stop = node_new(L->u, N_BREAK, arm->end);
  take->next = arm->c;
  label->c = block_of(L, take, t, arm->end);
  label->c->val = INT32_MAX; // no variable of an activate belongs to it
  label->next = stop;
  return label;
}

static Node *all_tasks(Lower *L, Symbol **tasks, int n, TokIndex t) {
  Node *first = NULL;
  for (int i = n; i-- > 0;)
    first = then(ident_node(L, tasks[i], t), first);
  Node *r = rt_call(L, "(fm_task[])", t, false, first);
  r->op = RT_TASKS;
  return r;
}

void lower_race(Lower *L, Node *s) {
  int n = (int)s->val, i = 0;
  TokIndex t = s->tok, end = s->end;
  Symbol **tasks = arena_alloc(&L->u->arena, (size_t)n * sizeof *tasks),
         *winner = own_temp(L, type_scalar(L->u, TY_INT), t);
  Node *cases = NULL, **tail = &cases;
  atomic_shields(L);
  put_rt(L, "fm__race_enter", t, true, NULL);
  for (Node *arm = s->b; arm; arm = arm->next, i++) {
    tasks[i] =
        own_temp(L, type_new(L->u, TY_TASK, arm->decl->type->base), arm->tok);
    start_arm(L, arm, tasks[i]);
  }
  put_wait(L, "fm__race_wait", end, NULL, WHY_JOIN);
  Node *call = rt_call(L,
                       "fm__race_winner",
                       end,
                       true,
                       then(all_tasks(L, tasks, n, end), number(L, n, end)));
  call->type = type_scalar(L->u, TY_INT);
  put_stmt(L, assign_stmt(L, ident_node(L, winner, end), call, end));
  i = 0;
  for (Node *arm = s->b; arm; arm = arm->next, i++) {
    *tail = won(L, arm, tasks[i], i);
    tail = &(*tail)->next->next;
  }
  Node *choose = make_node(
      L, N_SWITCH, t, ident_node(L, winner, end), block_of(L, cases, t, end));
  choose->end = end;
  lower_stmt(L, choose);
}

// ---- try ----
// *(const T *)fm_error_value(err), or err itself
static Node *error_value(Lower *L, Decl *d, Symbol *err, TokIndex t) {
  Node *call = rt_call(L, "fm_error_value", t, false, ident_node(L, err, t));
  bool pointer = canon(d->type)->kind == TY_POINTER;
  if (pointer)
    call = ident_node(L, err, t);
  call->type = type_pointer(L->u, type_scalar(L->u, TY_VOID));
  if (pointer)
    return call;
  Node *cast = make_node(L, N_CAST, t, call, NULL),
       *star = make_node(L, N_UNARY, t, cast, NULL);
  cast->tname = NEW(&L->u->arena, TypeName);
  cast->tname->type = cast->type =
      type_pointer(L->u,
                   type_qualify(L->u, type_unqual(L->u, d->type), Q_CONST));
  star->op = P_STAR;
  star->type = type_unqual(L->u, d->type);
  return star;
}

const char *error_type_name(Type *t) {
  Tag *g = canon(t)->tag;
  return g->name          ? g->name->name
         : g->typedef_sym ? g->typedef_sym->name->name
                          : "";
}

// fm__is(err, "name", sizeof(T))
static Node *is_of_type(Lower *L, Decl *d, Symbol *err, TokIndex t) {
  bool pointer = canon(d->type)->kind == TY_POINTER;
  const char *text =
      pointer ? "0, 0"
              : arena_printf(&L->u->arena,
                             "\"%s\", sizeof(%s)",
                             error_type_name(d->type),
                             type_spelled(L->u, type_unqual(L->u, d->type)));
  Node *n = rt_call(L,
                    "fm__is",
                    t,
                    false,
                    then(ident_node(L, err, t), code_node(L, t, text)));
  n->type = type_scalar(L->u, TY_INT);
  return n;
}

// { T e = …; body } and then the error is given up, however the body is left
static Node *
catch_block(Lower *L, Node *k, Symbol *err, Ident *end, bool *falls) {
  Opened o;
  Nest here;
  Symbol *outer = L->caught;
  open_list(L, &o);
  open_region(L, &here, k);
  L->caught = err;
  if (k->decl->name) {
    Node *d = node_new(L->u, N_DECL, k->tok);
    d->decl = k->decl;
    k->decl->init = error_value(L, k->decl, err, k->tok);
    put_stmt(L, d);
    put_stmt(L,
             make_node(L,
                       N_EXPR,
                       k->tok,
                       to_void(L, ident_node(L, k->decl->sym, k->tok)),
                       NULL));
  }
  lower_stmt(L, k->a);
  L->caught = outer;
  end_region(L, &here, k->end);
  put_rt(L, "fm__error_drop", k->end, false, ident_node(L, err, k->end));
  go_on(L, &here, k->end);
  *falls |= here.falls;
  if (here.falls) {
    Node *g = node_new(L->u, N_GOTO, k->end);
    g->name = end;
    put_stmt(L, g);
  }
  return block_of(L, close_list(L, &o), k->tok, k->end);
}

static void try_catch(Lower *L, Node *s) {
  Nest here = {
    .outer = L->nest, .kind = NEST_TRY, .node = s->a, .landing = new_label(L)
  };
  Ident *end = new_label(L);
  Symbol *err = own_temp(L, error_pointer(L), s->tok);
  Opened o;
  L->nest = &here;
  Node *body = lower_sub(L, s->a);
  L->nest = here.outer;
  put_stmt(L, body);
  // nothing in it can throw
  if (!here.landed)
    return;
  bool falls = !ends(body), caught = false;
  open_list(L, &o);
  put_caught(L, err, s->tok);
  for (Node *k = s->b; k; k = k->next) {
    Node *cond = is_of_type(L, k->decl, err, k->tok);
    put_stmt(
        L,
        make_node(L, N_IF, k->tok, cond, catch_block(L, k, err, end, &caught)));
  }
  put_rethrow(L, err, s->end);
  Node *list = close_list(L, &o);
  if (falls) {
    put_landing(L, here.landing, list, s->end);
  } else { // the handler is all that is left
    put_stmt(L, label_node(L, here.landing, s->end));
    put_stmt(L, block_of(L, list, s->end, s->end));
  }
  if (caught)
    put_stmt(L, label_node(L, end, s->end));
}

void lower_try(Lower *L, Node *s) {
  Nest here;
  Opened o;
  if (!s->c) {
    open_list(L, &o);
    try_catch(L, s);
    put_stmt(L, block_of(L, close_list(L, &o), s->tok, s->end));
    return;
  }
  Node *place = make_node(L, N_EMPTY, s->tok, NULL, NULL);
  place->end = s->c->tok - 1;
  open_region(L, &here, place);
  open_list(L, &o);
  if (s->b)
    try_catch(L, s);
  else
    put_stmt(L, lower_sub(L, s->a));
  put_stmt(L, block_of(L, close_list(L, &o), s->tok, place->end));
  end_region(L, &here, s->end);
  put_cleanup(L, &here, s->c);
  go_on(L, &here, s->end);
}

// ---- throw ----
void lower_throw(Lower *L, Node *s) {
  note_throwing(L, NULL);
  if (!s->a) { // the catch around no longer has it
    Symbol *err = L->caught, *t = own_temp(L, error_pointer(L), s->tok);
    put_stmt(L,
             assign_stmt(L,
                         ident_node(L, t, s->tok),
                         ident_node(L, err, s->tok),
                         s->tok));
    put_stmt(L,
             assign_stmt(
                 L, ident_node(L, err, s->tok), number(L, 0, s->tok), s->tok));
    put_rethrow(L, t, s->tok);
    return;
  }
  s->a = lower_expr(L, s->a);
  if (!L->plain)
    s->val = new_state(L->a, s->tok, WHY_THROW);
  s->d = landing(L, s->tok);
  put_stmt(L, s);
}
