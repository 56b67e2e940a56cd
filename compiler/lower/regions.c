// regions.c: the code with which regions are left. A region is a construct with a cleanup, code
// that runs however the construct is left: catch, finally, defer, scope, shield, atomic, variables
// with the cleanup attribute, blocks that wait for activities.
//
// The cleanup of a region stands once, after the region. A jump or an error that leaves the region
// stores the reason (Nest.why) and jumps to the cleanup. After the cleanup it goes on:
//
//     { … }  in it: a jump out is { why = 2; err = 0; goto after; }, an error goes to the landing
//     why = 0; err = 0;
//     if (0) { landing: err = caught; why = 1; }
//     after: cleanup
//     if (why == 1) rethrow err; if (why == 2) jump …
//
// Inside the region the two variables have no value, so that no pause in it keeps them.
//
// The jump that goes on is lowered once more, in the code around the region. So it runs the cleanup
// of each region that it leaves, from the inside out.
#include "lower/lowering.h"

// Values of the variable Nest.why; the jumps out of a region are numbered from LEFT_BY_JUMP.
enum {
  LEFT_AT_END,
  LEFT_BY_ERROR,
  LEFT_BY_JUMP,
};

// ---- where errors go ----
// Returns the innermost try or region around the statement; NULL: there is none.
static Nest *handler_around(Lower *L) {
  Nest *n = L->nest;
  while (n && n->kind != NEST_TRY && n->kind != NEST_REGION)
    n = n->outer;
  return n;
}

Node *landing(Lower *L, TokIndex t) {
  Nest *n = handler_around(L);
  if (!n)
    return NULL;
  n->landed = true;
  if (L->a)
    L->a->landings++;
  return goto_node(L, n->landing, t);
}

bool landing_here(Lower *L) {
  return handler_around(L) != NULL;
}

void put_wait(Lower *L, const char *name, TokIndex t, Node *args, Why why) {
  Node *n =
      make_node(L, N_PAUSE, t, NULL, rt_call(L, name, t, RT_DOMAIN, args));
  if (in_atomic(L)) { // no other activity of the domain runs meanwhile
    n->b->flags |= NF_ATOMIC;
    if (why != WHY_JOIN && meets_cancels(L))
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

Type *error_pointer(Lower *L) {
  Symbol *s = intern(L->u, "fm_error", 8)->sym;
  if (!s || s->kind != S_TYPEDEF)
    return type_pointer(L->u, type_scalar(L->u, TY_VOID));
  Type *t = type_sugar(L->u, TY_TYPEDEF, s->type);
  t->sym = s;
  return type_pointer(L->u, t);
}

void put_rethrow(Lower *L, Symbol *err, TokIndex t) {
  Node *n = make_node(L, N_RETHROW, t, ident_node(L, err, t), NULL);
  if (L->a && !L->plain)
    n->val = new_state(L->a, t, WHY_THROW);
  n->d = landing(L, t);
  put_stmt(L, n);
}

void put_caught(Lower *L, Symbol *err, TokIndex t) {
  put_assign(L, err, rt_call(L, "fm__caught", t, RT_DOMAIN, NULL), t);
}

void put_landing(Lower *L, Ident *name, Node *list, TokIndex t) {
  Node *label = label_node(L, name, t);
  label->next = list;
  put_if(L, number_node(L, 0, t), label, t);
}

// ---- regions ----
void open_region(Lower *L, Nest *n, Node *place) {
  *n = (Nest){
    .outer = L->nest,
    .kind = NEST_REGION,
    .node = place,
  };
  n->why = own_temp(L, type_scalar(L->u, TY_INT), place->tok);
  n->err = own_temp(L, error_pointer(L), place->tok);
  n->after = new_label(L);
  n->landing = new_label(L);
  n->exits_tail = &n->exits;
  L->nest = n;
}

// The region is left without an error.
static void put_reason(Lower *L, Nest *n, int why, TokIndex t) {
  put_assign(L, n->why, number_node(L, why, t), t);
  put_assign(L, n->err, number_node(L, 0, t), t);
}

void end_region(Lower *L, Nest *n, TokIndex t) {
  L->nest = n->outer;
  n->falls = !ends(L->last);
  if (n->falls)
    put_reason(L, n, LEFT_AT_END, t);
  if (n->landed) {
    Opened o;
    open_list(L, &o);
    put_caught(L, n->err, t);
    put_assign(L, n->why, number_node(L, LEFT_BY_ERROR, t), t);
    put_landing(L, n->landing, close_list(L, &o), t);
  }
  put_stmt(L, label_node(L, n->after, t));
}

void put_if_error(Lower *L, Nest *region, Node *list, TokIndex t) {
  put_if(L, equals_node(L, region->why, LEFT_BY_ERROR, t), list, t);
}

// if (the region was left for the reason `why`) { list }. The last reason needs no condition if the
// end of the region is not reached.
static void
put_choice(Lower *L, Nest *n, int why, Node *list, bool last, TokIndex t) {
  if (last && !n->falls)
    put_stmt(L, block_of(L, list, t, t));
  else
    put_if(L, equals_node(L, n->why, why, t), list, t);
}

void go_on(Lower *L, Nest *n, TokIndex t) {
  Opened o;
  if (n->landed) {
    open_list(L, &o);
    put_rethrow(L, n->err, t);
    put_choice(L, n, LEFT_BY_ERROR, close_list(L, &o), !n->exits, t);
  }
  for (Exit *k = n->exits; k; k = k->next) {
    open_list(L, &o);
    lower_stmt(L, k->jump);
    put_choice(L, n, k->number, close_list(L, &o), !k->next, t);
  }
}

// ---- jumps out of regions ----
static bool same_jump(const Node *a, const Node *b) {
  return a->kind == b->kind && (a->kind != N_GOTO || a->name == b->name);
}

// Returns the number of the jump out of the region n; equal jumps have the same number.
static int exit_number(Lower *L, Nest *n, Node *jump) {
  for (Exit *k = n->exits; k; k = k->next)
    if (same_jump(k->jump, jump))
      return k->number;
  Exit *k = NEW(&L->u->arena, Exit);
  Node *copy = NEW(&L->u->arena, Node);
  *copy = *jump;
  copy->next = NULL;
  *k = (Exit){ .jump = copy, .number = LEFT_BY_JUMP + n->nexits++ };
  *n->exits_tail = k;
  n->exits_tail = &k->next;
  return k->number;
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
  int number = exit_number(L, n, jump);
  put_reason(L, n, number, jump->tok);
  put_stmt(L, goto_node(L, n->after, jump->tok));
  return true;
}

// ---- cleanups that may pause or throw ----
// if (0) { landing: err = caught; err = fm__replaced(the error on its way, err); rethrow err; }
static void put_cleanup_landing(
    Lower *L, Nest *region, Ident *name, bool shielded, TokIndex t) {
  Opened o;
  Symbol *err = own_temp(L, error_pointer(L), t);
  open_list(L, &o);
  put_caught(L, err, t);
  if (shielded)
    put_rt(L, "fm__shield_leave", t, RT_SHIELD, NULL);
  Node *both =
      argument_list(ident_node(L, region->err, t), ident_node(L, err, t));
  put_assign(L, err, rt_call(L, "fm__replaced", t, RT_BARE, both), t);
  put_rethrow(L, err, t);
  put_landing(L, name, close_list(L, &o), t);
}

// A cancel could unwind the cleanup `list`, or what it has started.
static bool needs_shield(Lower *L, Node *list) {
  if (L->plain)
    return false;
  return in_atomic(L) ? meets_cancels(L)
                      : may_pause(list) || children_may_run(list);
}

void put_cleanup(Lower *L, Nest *region, Node *s) {
  TokIndex t = s->tok;
  TokIndex end = last_token(s);
  Ident *name = new_label(L);
  Nest here = {
    .outer = L->nest, .kind = NEST_TRY, .node = s, .landing = name
  };
  Nest cleanup = {
    .outer = &here,
    .kind = NEST_CLEANUP,
    .node = s,
  };
  Symbol *caught = L->caught;
  L->nest = &cleanup;
  L->caught = NULL;
  Node *list = gather(L, lower_stmt, s);
  L->nest = here.outer;
  L->caught = caught;
  bool shielded = needs_shield(L, list);
  if (shielded)
    put_rt(L, "fm__shield_enter", t, RT_SHIELD, NULL);
  put_stmt(L, block_of(L, list, t, end));
  if (shielded)
    put_rt(L, "fm__shield_leave", end, RT_SHIELD, NULL);
  if (here.landed)
    put_cleanup_landing(L, region, name, shielded, end);
}
