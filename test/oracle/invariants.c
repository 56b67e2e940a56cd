// invariants.c: what holds in every state of the machine (docs/formal.md, "Properties").
#include "machine.h"

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

// What an operation needs is not there while an activity waits for it: neither a withdrawn wait nor
// a completed one has left something over. Arms do not serve those of their own race.
static void check_objects(const State *m) {
  for (int i = 0; i < m->acts; i++) {
    const Act *t = &m->act[i];
    if (t->life != BLOCKED || t->arm)
      continue;
    const Chan *c = t->wait == W_RECV || t->wait == W_SEND ? &m->chan[t->object] : NULL;
    holds(!c || !c->closed, "cancel safety: an activity waits for a closed channel");
    if (t->wait == W_RECV)
      holds(c->count == 0, "cancel safety: a receiver waits for what is there");
    if (t->wait == W_SEND)
      holds(c->count == c->cap, "cancel safety: a sender waits although there is room");
    if (t->wait == W_ACQUIRE)
      holds(m->sem[t->object] == 0, "cancel safety: an activity waits for a permit that is there");
    if (t->wait == W_AWAIT)
      holds(m->act[t->object].life != ENDED, "cancel safety: an activity awaits what has ended");
    if (t->wait == W_JOIN && m->node[t->object].kind == N_ACT) // a scope may have to be left yet
      holds(!m->node[t->object].ended, "cancel safety: an activity waits for an end that has come");
  }
}

// The orders of the queue and of those that wait are total.
static void check_order(const State *m) {
  for (int i = 0; i < m->acts; i++)
    for (int j = 0; j < i; j++) {
      const Act *a = &m->act[i];
      const Act *b = &m->act[j];
      if (a->life == READY && b->life == READY)
        holds(a->until != b->until, "determinism: two activities have one place in the queue");
      if ((a->life == BLOCKED || a->life == ASIDE) && (b->life == BLOCKED || b->life == ASIDE))
        holds(a->stamp != b->stamp, "determinism: two activities blocked at one time");
    }
}

void check_state(const State *m) {
  check_places(m);
  check_tree(m);
  check_errors(m);
  check_atomic(m);
  check_objects(m);
  check_order(m);
}
