// ends.c: whether an activity can wait again, or start something, before it ends: an arm of a race
// that cannot wins when its wait is over. The text of the program counts, not the values that
// its variables have.
#include "machine.h"

// ---- statements ----
static How way_out(const Node *n); // how its end is left; GOES: the next statement follows

static bool any_part(const Node *n, bool (*has)(const Node *)) {
  for (int i = 0; i < n->parts; i++)
    if (has(n->part[i]))
      return true;
  return false;
}

// In an atomic no wait lets others go on; what is started there goes on after it.
static bool starts(const Node *n) {
  switch (n->kind) {
  case SPAWN:
  case DROP:
  case SPAWNJOB:
  case ACTIVATE:
  case YIELD:
  case RACE:
  case SCOPE:
    return true;
  default:
    return any_part(n, starts);
  }
}

static bool is_atomic_function(int f) {
  return core_function(machine.program, f)->at[1];
}

static bool may_wait(const Node *n) {
  switch (n->kind) {
  case PRINT:
  case SET:
  case SETG:
  case SETREF:
  case BREAK:
  case RETURN:
  case NONE:
  case SHARE:
  case GIVEUP:
  case JOB:
  case THROW:
  case RETHROW:
  case ID:
  case SELF:
  case CANCEL:
  case AFTER:
  case PAUSE:
  case RESUME:
  case CLOSE:
  case POST:
  case COMPLETE:
  case FAIL:
  case ATOMICX:
    return false;
  case CALL:
  case CALLREF:
    return !is_atomic_function(n->at[1]);
  case ATOMIC:
    return starts(n->part[0]);
  case SHIELD:
  case LOOP:
    return may_wait(n->part[0]);
  case IF:
    return may_wait(n->part[1]) || may_wait(n->part[2]);
  case TRY:
    return any_part(n, may_wait);
  case BLOCK:
    for (int i = 0; i < n->parts; i++) {
      if (may_wait(n->part[i]))
        return true;
      if (way_out(n->part[i]) != GOES)
        return false;
    }
    return false;
  default:
    return true;
  }
}

static How way_out(const Node *n) {
  How how = GOES;
  switch (n->kind) {
  case RETURN:
  case TAIL:
  case TAILREF:
    return RETURNS;
  case BREAK:
    return BREAKS;
  case THROW:
  case RETHROW:
    return THROWS;
  case SHIELD:
  case ATOMIC:
    return way_out(n->part[0]);
  case IF:
    how = way_out(n->part[1]);
    return how == way_out(n->part[2]) ? how : GOES;
  case BLOCK:
    for (int i = 0; i < n->parts && how == GOES; i++)
      how = way_out(n->part[i]);
    return how;
  default:
    return GOES;
  }
}

// ---- frames ----
// What is left of a block; out: how its end is left.
static bool rest_may_wait(const Frame *k, How *out) {
  const Node *n = node_at(k->node);
  if (n->kind != BLOCK)
    return k->x == 0 && may_wait(n);
  for (int i = k->x; i < n->parts && *out == GOES; i++) {
    if (may_wait(n->part[i]))
      return true;
    *out = way_out(n->part[i]);
  }
  return false;
}

static bool clause_may_wait(const Node *clause, How *out) {
  if (clause->kind != NONE && way_out(clause) == GOES)
    *out = GOES;
  return may_wait(clause);
}

// out: how the frame is left before, and after
static bool
frame_may_wait(const State *m, const Act *t, const Frame *k, How *out) {
  const Node *n = k->node >= 0 ? node_at(k->node) : NULL;
  bool again = *out == GOES;
  switch ((Op)k->op) {
  case K_SEQ:
    return again && rest_may_wait(k, out);
  case K_LOOP:
    if (*out == BREAKS)
      *out = GOES;
    return again && may_wait(n->part[0]);
  case K_TRY:
    return clause_may_wait(n->part[1], out) || clause_may_wait(n->part[2], out);
  case K_FINALLY:
    return may_wait(n->part[3]);
  case K_DEFER:
    return may_wait(n->part[0]);
  case K_CALL:
    *out = k->flag ? RETURNS : GOES;
    return t->env != NOBODY && m->env[t->env].members;
  case K_SUM:
    return k->x < 2;
  case K_CLEANUP: // in a shield, if it may wait
    return may_wait(n);
  case K_CATCH:
  case K_ARM:
    return false;
  default:
    return true;
  }
}

bool last_of_function(const State *m, int a) {
  const Act *t = &m->act[a];
  How out = GOES;
  for (int i = t->depth - 1; i >= 0; i--) {
    if (frame_may_wait(m, t, &t->stack[i], &out))
      return false;
    if (t->stack[i].op == K_CALL)
      return true;
  }
  return true;
}

// An arm that cannot wait again, and has not waited: on another path through one of the functions
// that it is in it would have.
bool may_have_waited(const State *m, int a) {
  const Act *t = &m->act[a];
  if (!t->arm || t->waited || !ends_with_its_wait(m, a))
    return false;
  for (int i = 0; i < t->depth; i++)
    if (t->stack[i].op == K_CALL && may_wait(node_at(t->stack[i].node)->part[0]))
      return true;
  return false;
}

bool ends_with_its_wait(const State *m, int a) {
  const Act *t = &m->act[a];
  How out = GOES;
  if (in_atomic(m, a))
    return false;
  for (int i = 0; i < m->nodes; i++)
    if (m->node[i].parent == t->node && !m->node[i].gone &&
        m->node[i].kind == N_ACT)
      return false;
  for (int i = t->depth - 1; i >= 0; i--)
    if (frame_may_wait(m, t, &t->stack[i], &out))
      return false;
  return true;
}
