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
  m->act[a].set = m->sets;
}

RULE(Atomic) {
  enter_atomic(m, a);
  push_statement(m, a, n->part[0]);
}

RULE(Atomic_Call) {
  enter_atomic(m, a);
  start_call(m, a, n->at[1], value_of(m, a, n->part[0]), n->at[0]);
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

void contain_children(State *m, int node) {
  for (int i = 0; i < m->acts; i++)
    if (m->node[m->act[i].node].parent == node)
      contain(m, i);
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
