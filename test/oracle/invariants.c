// invariants.c: what holds in every state of the machine (docs/formal.md, "Properties"), and what
// an arm of a race can still do.
#include "machine.h"

// ---- whether a statement may wait ----
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
    return false;
  case BLOCK:
  case IF:
  case LOOP:
  case TRY:
    for (int i = 0; i < n->parts; i++)
      if ((n->kind != IF || i) && may_wait(n->part[i]))
        return true;
    return false;
  default:
    return true;
  }
}

// The statement after these is not reached.
static bool never_ends(const Node *n) {
  return n->kind == RETURN || n->kind == THROW || n->kind == RETHROW || n->kind == BREAK;
}

static bool rest_may_wait(const Frame *k) {
  const Node *n = node_at(k->node);
  if (n->kind != BLOCK)
    return k->x == 0 && may_wait(n);
  for (int i = k->x; i < n->parts; i++) {
    if (may_wait(n->part[i]))
      return true;
    if (never_ends(n->part[i]))
      return false;
  }
  return false;
}

static bool frame_may_wait(const State *m, const Act *t, const Frame *k) {
  const Node *n = k->node >= 0 ? node_at(k->node) : NULL;
  switch ((Op)k->op) {
  case K_SEQ:
    return rest_may_wait(k);
  case K_LOOP:
    return may_wait(n->part[0]);
  case K_TRY:
    return may_wait(n->part[1]) || may_wait(n->part[2]);
  case K_FINALLY:
    return may_wait(n->part[3]);
  case K_DEFER:
    return may_wait(n->part[0]);
  case K_CALL:
    return t->env != NOBODY && m->env[t->env].members;
  case K_SUM:
    return k->x < 2;
  case K_CATCH:
  case K_CLEANUP:
  case K_ARM:
    return false;
  default:
    return true;
  }
}

bool ends_with_its_wait(const State *m, int a) {
  const Act *t = &m->act[a];
  if (in_atomic(m, a))
    return false;
  for (int i = 0; i < m->nodes; i++)
    if (m->node[i].parent == t->node && !m->node[i].gone && m->node[i].kind == N_ACT)
      return false;
  for (int i = 0; i < t->depth; i++)
    if (frame_may_wait(m, t, &t->stack[i]))
      return false;
  return true;
}

// ---- invariants ----
static void holds(bool what, const char *why) {
  if (!what)
    fail_machine(BROKEN, why);
}

// Each activity is in exactly one place, and one at most runs.
static void check_places(const State *m) {
  int runs = 0;
  int starters = 0;
  for (int i = 0; i < m->acts; i++) {
    const Act *t = &m->act[i];
    runs += t->life == RUNS;
    starters += t->life == STARTER;
    holds(t->life != FREE, "no lost continuation: an activity is nowhere");
    holds((t->life == BLOCKED) == (t->wait != W_NONE), "an activity waits for nothing");
    holds(t->life != BODY || live_child(m, t->node), "an activity waits for no child");
    holds(t->life != ASIDE || node_held(m, t->inner), "an activity is held by nothing");
  }
  holds(runs <= 1, "two activities run");
  holds((runs == 1) == (m->current != NOBODY), "the current activity does not run");
  holds(starters == m->starters, "an activity that spawned at once is nowhere");
}

// The parent of an activity that lives has not ended.
static void check_tree(const State *m) {
  for (int i = 1; i < m->nodes; i++) {
    const Tree *n = &m->node[i];
    if (n->gone || n->ended)
      continue;
    holds(!m->node[n->parent].gone, "tree discipline: a node has lost its parent");
    holds(!m->node[n->parent].ended, "tree discipline: a child outlives its parent");
  }
}

// An error that ends an activity has been got by somebody, or stays where somebody will find it.
static void check_errors(const State *m) {
  for (int i = 0; i < m->acts; i++) {
    const Act *t = &m->act[i];
    if (t->life != ENDED || t->result != THROWS || t->seen)
      continue;
    holds(!m->node[t->node].gone, "no lost error: an error has gone with its activity");
    holds(!m->over || m->ending, "no lost error: an error is left at the end");
  }
}

// Only members of the topmost set run. A cancelled activity has no wait that could be withdrawn.
static void check_atomic(const State *m) {
  if (m->current != NOBODY)
    holds(m->act[m->current].set == m->sets, "atomicity: a held activity runs");
  for (int i = 1; i <= m->sets; i++)
    holds(m->act[m->set[i].owner].life != ENDED, "atomicity: the owner of an atomic has ended");
}

void check_state(const State *m) {
  check_places(m);
  check_tree(m);
  check_errors(m);
  check_atomic(m);
}
