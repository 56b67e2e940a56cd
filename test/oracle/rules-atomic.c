// rules-atomic.c: the rules of atomic: the stack of sets (docs/formal.md, "atomic").
#include "machine.h"

// The activity owns a new set, which alone runs. Cancels from outside are held back as by a shield.
void enter_atomic(State *m, int a) {
  Frame *k = push(m, a, K_ATOMIC, NULL);
  if (m->sets == MAX_SETS - 1) {
    fail_machine(TOO_LARGE, "atomics are nested too deeply");
    return;
  }
  k->x = (int16_t)region_enter(m, a, N_SHIELD);
  k->y = m->act[a].set;
  m->sets++;
  m->set[m->sets].owner = (int8_t)a;
  m->set[m->sets].shield = (int8_t)k->x;
  m->act[a].set = m->sets;
}

RULE(Atomic) {
  enter_atomic(m, a);
  push_statement(m, a, n->part[0]);
}

RULE(Atomic_Call) {
  enter_atomic(m, a);
  call(m, a, n->at[1], value_of(m, a, n->part[0]), n->at[0]);
}

// Such a function has no atomic version.
bool runs_contained(const State *m, int a, int f) {
  const Node *fun = core_function(machine.program, f);
  return in_atomic(m, a) && !fun->at[1] &&
         (core_has(fun, RACE) || core_has(fun, SCOPE) || core_has(fun, ACTIVATE));
}

// It runs as an activity in a shield: it begins at once.
RULE(Call_Contained) {
  int child = top(m, a)->y;
  (void)n;
  m->act[child].handles = 1;
  spawned(m, a, child, AT_ONCE);
}

// A scope that stands in an atomic of the same function is around the statement, and no shield is
// in between: a cancel of the scope is not held back.
bool in_own_scope(const State *m, int a) {
  const Act *t = &m->act[a];
  bool scope = false;
  for (int i = t->depth - 1; i >= 0; i--)
    switch ((Op)t->stack[i].op) {
    case K_SCOPE:
      scope = true;
      break;
    case K_ATOMIC:
      return scope;
    case K_SHIELD:
    case K_CLEANUP:
      if (!scope)
        return false;
      break;
    case K_CALL:
    case K_EACH:
    case K_ARM:
      return false;
    default:
      break;
    }
  return false;
}

// The call runs as an activity: it begins at once.
RULE(Call_Reached) {
  (void)n;
  spawned(m, m->current, a, AT_ONCE);
}

void call_reached(State *m, int a, int child, int to) {
  const Node *n = NULL;
  Frame *k = push(m, a, K_AWAITED, NULL);
  k->x = (int16_t)to;
  k->y = (int16_t)child;
  m->act[child].handles = 1;
  a = child;
  APPLY(Call_Reached);
}

RULE(Wait_Reached) {
  bool value = n->kind == RECV || n->kind == DIRECT;
  int child = act_new(m, m->act[a].inner);
  m->act[child].env = m->act[a].env;
  push(m, child, K_OP, n);
  call_reached(m, a, child, value ? n->at[0] : TO_NOTHING);
}

// The operation begins; then it has ended.
RULE(Wait_Ends) {
  Act *t = &m->act[a];
  Frame *k = top(m, a);
  if (k->flag || t->out.how != GOES) {
    pop(m, a);
    t->env = NOBODY; // it is the owner's
    return;
  }
  k->flag = true;
  if (!n)
    join_node(m, a, k->x == NOBODY ? NOBODY : m->act[k->x].node);
  else if (n->kind == RECV)
    receive_value(m, a, n->at[1], TO_RESULT);
  else if (n->kind == DIRECT)
    start_direct(m, a, n->at[1], TO_RESULT);
  else
    execute(m, a, n);
}

// An activity that a cancel reaches waits for the end of the task first.
RULE(Await_Reached) {
  int child = act_new(m, m->act[a].inner);
  Frame *k = push(m, a, K_LATER, NULL);
  (void)n;
  k->x = m->act[a].to;
  k->y = m->act[a].object;
  k = push(m, child, K_OP, NULL);
  k->x = m->act[a].object;
  call_reached(m, a, child, TO_NOTHING);
}

// Then it is awaited, unless the cancel has come.
RULE(Await_Later) {
  Frame k = *top(m, a);
  (void)n;
  pop(m, a);
  if (m->act[a].out.how == GOES)
    await_now(m, a, k.y, k.x);
}

// It has paused or ended, and is awaited; later it has ended.
RULE(Call_Awaited) {
  Frame *k = top(m, a);
  if (!k->value++) {
    await_now(m, a, k->y, TO_RESULT);
    return;
  }
  Frame call = *k;
  pop(m, a);
  if (n)
    region_leave(m, a, m->act[a].inner);
  if (m->act[a].out.how == GOES)
    called(m, a, m->act[a].value, call.x, call.flag);
}

RULE(Contain) {
  (void)n;
  m->act[a].delayed = false;
  m->act[a].set = m->sets;
  make_ready(m, a, R_START);
}

// An atomic waits for a: if a was delayed, it runs inside.
void contain(State *m, int a) {
  const Node *n = NULL;
  if (m->act[a].delayed)
    APPLY(Contain);
}

// Those that share the variables of env; NOBODY: all.
void contain_children(State *m, int node, int env) {
  for (int i = NOBODY; (i = next_child(m, node, i)) != NOBODY;)
    if (m->node[i].kind == N_ACT && (env == NOBODY || m->act[m->node[i].owner].group == env))
      contain(m, m->node[i].owner);
}

static bool alone(const State *m, int set) {
  for (int i = 0; i < m->acts; i++)
    if (m->act[i].set == set && m->act[i].life != ENDED && m->set[set].owner != i)
      return false;
  return true;
}

RULE(Atomic_Waits) {
  Frame *k = top(m, a);
  (void)n;
  k->out = m->act[a].out;
  k->flag = true;
  m->act[a].out = (Exit){ .how = GOES };
  block(m, a, W_ALONE, m->sets, TO_NOTHING);
}

void set_member_ended(State *m, int set) {
  int owner = m->set[set].owner;
  if (m->act[owner].life == BLOCKED && m->act[owner].wait == W_ALONE && alone(m, set))
    make_ready(m, owner, R_GO);
}

RULE(Atomic_End) {
  Frame k = *top(m, a);
  if (!alone(m, m->sets)) {
    APPLY(Atomic_Waits);
    return;
  }
  if (k.flag)
    m->act[a].out = k.out;
  pop(m, a);
  m->sets--;
  m->act[a].set = (uint8_t)k.y;
  m->act[a].sliceable = true;
  for (int i = 0; !m->sets && i < m->acts; i++)
    m->act[i].delayed = false;
  if (in_atomic(m, a))
    region_leave(m, a, k.x);
  else
    leave_shield(m, a, k.x);
}
