// lower-race.c: lowers race. Each arm is an activity with a task. The arms start in order, as long
// as none has ended. Then the function waits, and goes on with the statements of the winner:
//
//     t0 = no task; if (the race is open) t0 = spawn now arm 0; …; wait;
//     switch (the winner) { case 0: x = await t0; statements; break; … }
//
// Arms of a `for` and of a `race fair` are listed before they start, each with the values that the
// variables of its loop have. The runtime keeps the list and decides which arm starts next:
//
//     for (…) list arm 0, keep i;
//     while ((n = the next arm) >= 0) switch (n) { case 0: t0 = spawn now arm 0; note t0; … }
//     wait; switch (the winner) { case 0: i = the kept one; x = await its task; … }
//
// Conditions of arms that stand in no `for` are evaluated before the race begins.
#include "lower/lowering.h"

typedef struct Arm {
  Node *node;   // N_ARM
  Node *loop;   // the N_FOR around it, or NULL
  Symbol *task; // a variable for its task; NULL: it is `default:`
  // the value of its condition; NULL: there is none, or the arm stands in a loop
  Symbol *guard;
} Arm;

static Type *int_type(Lower *L) {
  return type_scalar(L->u, TY_INT);
}

// ---- before the race begins ----
// Evaluates the condition of an arm into a variable; returns the variable.
static Symbol *evaluate_guard(Lower *L, Node *e) {
  Symbol *s = own_temp(L, int_type(L), e->tok);
  put_assign(L, s, truth_node(L, lower_expr(L, e)), e->tok);
  return s;
}

// Fills in `arm` for s, an N_ARM or the `for` around one, and lowers its body.
static void set_arm(Lower *L, Arm *arm, Node *s) {
  *arm = (Arm){ .node = s };
  if (s->kind == N_FOR) {
    arm->loop = s;
    arm->node = s->d;
  }
  Node *n = arm->node;
  if (n->op & ARM_DEFAULT)
    return;
  lower_async(inner_async(L->a, n->decl));
  arm->task = own_temp(L, type_new(L->u, TY_TASK, n->decl->type->base), n->tok);
  if (n->d && !arm->loop)
    arm->guard = evaluate_guard(L, n->d);
}

// ---- starting an arm ----
// task = spawn now arm;
static void put_spawn(Lower *L, const Arm *arm) {
  TokIndex t = arm->node->tok;
  Node *spawn = make_node(L, N_SPAWN, t, arm->node, NULL);
  spawn->op = SPAWN_NOW | SPAWN_ARM;
  spawn->type = arm->task->type;
  Node *n = make_node(L, N_PAUSE, t, ident_node(L, arm->task, t), spawn);
  n->val = new_state(L->a, t, WHY_CALL);
  put_stmt(L, n);
}

// if (guard) if (the race is open) task = spawn now arm;
static void start_in_order(Lower *L, const Arm *arm) {
  TokIndex t = arm->node->tok;
  Opened o;
  Node *none = code_node(L, t, "(fm_task){0}");
  put_assign(L, arm->task, none, t);
  open_list(L, &o);
  put_spawn(L, arm);
  Node *list = close_list(L, &o);
  if (arm->guard) {
    open_list(L, &o);
    put_if(L, int_call(L, "fm__race_open", t, NULL), list, t);
    list = close_list(L, &o);
    put_if(L, ident_node(L, arm->guard, t), list, t);
  } else {
    put_if(L, int_call(L, "fm__race_open", t, NULL), list, t);
  }
}

// ---- arms that are listed first ----
// fm__arm_list(which); *(T *)fm__arm_keeps(sizeof(T)) = i; …
static void put_listing(Lower *L, const Arm *arm, int which) {
  TokIndex t = arm->node->tok;
  const Decl *d = arm->loop ? arm->loop->a->decl : NULL;
  put_rt(L, "fm__arm_list", t, RT_DOMAIN, number_node(L, which, t));
  for (; d; d = d->next) {
    Type *type = type_unqual(L->u, d->type);
    Node *room = arm_value(L->u, "fm__arm_keeps", type, t);
    put_expr(L, assign_node(L, room, ident_node(L, d->sym, t), t), t);
  }
}

static void list_loop(Lower *L, const Arm *arm, int which) {
  Node *loop = make_node(L, N_FOR, arm->loop->tok, arm->loop->a, arm->loop->b);
  TokIndex t = arm->node->tok;
  Opened o;
  loop->c = arm->loop->c;
  open_list(L, &o);
  put_listing(L, arm, which);
  loop->d = block_of(L, close_list(L, &o), t, t);
  if (arm->node->d)
    loop->d = make_node(L, N_IF, t, arm->node->d, loop->d);
  loop->end = t;
  lower_stmt(L, loop);
}

static void list_arm(Lower *L, const Arm *arm, int which) {
  TokIndex t = arm->node->tok;
  Opened o;
  if (arm->loop) {
    list_loop(L, arm, which);
    return;
  }
  open_list(L, &o);
  put_listing(L, arm, which);
  Node *list = close_list(L, &o);
  if (arm->guard)
    put_if(L, ident_node(L, arm->guard, t), list, t);
  else
    put_stmt(L, block_of(L, list, t, t));
}

// if (next == which) { task = spawn now arm; fm__arm_started(task); }
static void start_listed(Lower *L, const Arm *arm, int which, Symbol *next) {
  TokIndex t = arm->node->tok;
  Opened o;
  open_list(L, &o);
  put_spawn(L, arm);
  put_rt(L, "fm__arm_started", t, RT_DOMAIN, ident_node(L, arm->task, t));
  Node *list = close_list(L, &o);
  put_if(L, equals_node(L, next, which, t), list, t);
}

// Lists all arms; then starts them as the runtime decides.
static void start_all_listed(Lower *L, const Node *s, const Arm *arms) {
  TokIndex t = s->tok;
  Opened o;
  Symbol *next = own_temp(L, int_type(L), t);
  for (int i = 0; i < s->val; i++)
    if (arms[i].task)
      list_arm(L, &arms[i], i);
  open_list(L, &o);
  for (int i = 0; i < s->val; i++)
    if (arms[i].task)
      start_listed(L, &arms[i], i, next);
  Node *body = block_of(L, close_list(L, &o), t, t);
  Node *number = int_call(L, "fm__arms_next", t, NULL);
  Node *take = assign_node(L, ident_node(L, next, t), number, t);
  Node *more = make_node(L, N_BINARY, t, take, number_node(L, 0, t));
  more->op = P_GE;
  more->type = int_type(L);
  put_stmt(L, make_node(L, N_WHILE, t, more, body));
}

// ---- the winner ----
// (fm_task[]){ t0, t1, … }
static Node *all_tasks(Lower *L, const Arm *arms, int n, TokIndex t) {
  Node *first = NULL;
  for (int i = n; i-- > 0;)
    first = argument_list(arms[i].task ? ident_node(L, arms[i].task, t)
                                       : code_node(L, t, "(fm_task){0}"),
                          first);
  Node *r = rt_call(L, "(fm_task[])", t, RT_BARE, first);
  r->op = RT_TASKS;
  return r;
}

// Returns the call whose value is the number of the arm that has won.
static Node *ask_winner(Lower *L, const Node *s, const Arm *arms) {
  int n = (int)s->val;
  TokIndex t = s->end;
  if (s->op & RACE_LISTED)
    return int_call(L, "fm__arms_winner", t, NULL);
  Node *tasks = all_tasks(L, arms, n, t);
  return int_call(L,
                  "fm__race_winner",
                  t,
                  argument_list(tasks, number_node(L, n, t)));
}

// x = await t;
static Node *take_result(Lower *L, const Arm *arm) {
  Node *s = arm->node;
  TokIndex t = s->tok;
  Node *e = make_node(L, N_AWAIT, t, ident_node(L, arm->task, t), NULL);
  e->type = s->decl->type->base;
  e->flags = NF_PAUSE | (in_atomic(L) ? NF_ATOMIC : 0);
  if (s->op & ARM_DECLARES) {
    Node *declaration = s->c;
    declaration->decl->init = e;
    s->c = declaration->next;
    declaration->next = NULL;
    return declaration;
  }
  if (s->b) {
    e = assign_node(L, s->b, e, t);
    e->flags = NF_PAUSE;
  }
  return make_node(L, N_EXPR, t, e, NULL);
}

static Node *rt_statement(Lower *L, const char *name, TokIndex t) {
  return make_node(L, N_EXPR, t, rt_call(L, name, t, RT_DOMAIN, NULL), NULL);
}

// Adds the statements that a listed arm begins with: the copies of its loop's variables, its task,
// and the end of the list. Returns the new end of the statements.
static Node **take_from_list(Lower *L, const Arm *arm, Node **tail) {
  Node *s = arm->node;
  TokIndex t = s->tok;
  Node **kept = s->op & ARM_DECLARES ? &s->c->next : &s->c;
  for (const Decl *d = arm->loop ? arm->loop->a->decl : NULL; d; d = d->next) {
    *tail = *kept;
    tail = &(*tail)->next;
    *kept = *tail;
  }
  if (arm->task) {
    Node *task = rt_call(L, "fm__arms_task", t, RT_DOMAIN, NULL);
    task->type = arm->task->type;
    Node *take = assign_node(L, ident_node(L, arm->task, t), task, t);
    *tail = make_node(L, N_EXPR, t, take, NULL);
    tail = &(*tail)->next;
  }
  *tail = rt_statement(L, "fm__arms_end", t);
  return &(*tail)->next;
}

// case i: x = await t; statements; break;   The last arm is `default:`, because one arm has won.
static Node *case_of(Lower *L, const Arm *arm, int i, bool listed, bool last) {
  Node *s = arm->node;
  Node *first = NULL;
  Node **tail = &first;
  TokIndex t = s->tok;
  int which = arm->task ? i : -1;
  Node *label = last ? node_new(L->u, N_DEFAULT, t)
                     : make_node(L, N_CASE, t, number_node(L, which, t), NULL);
  if (listed)
    tail = take_from_list(L, arm, tail);
  if (arm->task) {
    *tail = take_result(L, arm);
    tail = &(*tail)->next;
  }
  *tail = s->c;
  label->c = block_of(L, first, t, s->end);
  label->c->val = INT32_MAX; // no variable of an activate belongs to it
  label->next = node_new(L->u, N_BREAK, s->end);
  return label;
}

// switch (winner) { case 0: … }
static Node *
switch_of(Lower *L, const Node *s, const Arm *arms, Symbol *winner) {
  Node *cases = NULL;
  Node **tail = &cases;
  int n = (int)s->val;
  for (int i = 0; i < n; i++) {
    *tail = case_of(L, &arms[i], i, s->op & RACE_LISTED, i == n - 1);
    tail = &(*tail)->next->next;
  }
  Node *r = make_node(L,
                      N_SWITCH,
                      s->tok,
                      ident_node(L, winner, s->end),
                      block_of(L, cases, s->tok, s->end));
  r->end = s->end;
  return r;
}

void lower_race(Lower *L, Node *s) {
  TokIndex t = s->tok;
  TokIndex end = s->end;
  Arm *arms = arena_alloc(&L->u->arena, (size_t)s->val * sizeof *arms);
  Symbol *winner = own_temp(L, int_type(L), t);
  int n = 0;
  for (Node *k = s->b; k; k = k->next)
    set_arm(L, &arms[n++], k);
  atomic_shields(L);
  put_rt(L, "fm__race_enter", t, RT_DOMAIN, NULL);
  if (s->op & RACE_DEFAULT)
    put_rt(L, "fm__race_hurries", t, RT_DOMAIN, NULL);
  if (s->op & RACE_LISTED) {
    put_rt(L,
           "fm__arms_list",
           t,
           RT_DOMAIN,
           number_node(L, !!(s->op & RACE_FAIR), t));
    start_all_listed(L, s, arms);
  } else {
    for (int i = 0; i < n; i++)
      if (arms[i].task)
        start_in_order(L, &arms[i]);
  }
  if (s->op & RACE_DEFAULT)
    put_rt(L, "fm__race_default", end, RT_DOMAIN, NULL);
  put_wait(L, "fm__race_wait", end, NULL, WHY_JOIN);
  if (in_atomic(L)) // the wait may throw there, too
    L->last->flags |= NF_ATOMIC;
  put_assign(L, winner, ask_winner(L, s, arms), end);
  lower_stmt(L, switch_of(L, s, arms, winner));
}
