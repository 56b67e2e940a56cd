// rules-objects.c: the rules of channels, semaphores and completions (docs/formal.md, "Objects").
// Waiters are served in the order in which they began to wait.
#include "machine.h"

// An arm does not serve another arm of its own race.
static int race_of(const State *m, int a) {
  return m->act[a].arm ? m->node[m->act[a].node].parent : NOBODY;
}

static void done(State *m, int a, int to, int16_t value) {
  if (to == TO_RESULT)
    m->act[a].value = value;
  else
    assign(m, m->act[a].env, to, value);
}

static bool leaves_at_its_last(State *m, int a) {
  return last_of_function(m, a) && arm_leaves(m, a);
}

// ---- channels ----
// object and value of the activity: the channel, and what is sent
RULE(Send_Closed) {
  (void)n;
  throw_error(m, a, error_of(CODE_CLOSED));
}

RULE(Send_Hands_Over) {
  Act *t = &m->act[a];
  (void)n;
  wake_value(m, first_waiter(m, W_RECV, t->object, race_of(m, a)), t->value);
}

RULE(Send_Stores) {
  Chan *c = &m->chan[m->act[a].object];
  (void)n;
  c->buffer[c->count++] = m->act[a].value;
}

RULE(Send_Waits) {
  Act *t = &m->act[a];
  (void)n;
  if (!ends_here(m, a))
    block(m, a, W_SEND, t->object, TO_NOTHING);
}

void send_value(State *m, int a, int c, int16_t value, int to) {
  const Node *n = NULL;
  (void)to;
  m->act[a].object = (int8_t)c;
  m->act[a].value = value;
  m->act[a].sliceable = true;
  if (leaves_at_its_last(m, a))
    return;
  if (m->chan[c].closed)
    APPLY(Send_Closed);
  else if (first_waiter(m, W_RECV, c, race_of(m, a)) != NOBODY)
    APPLY(Send_Hands_Over);
  else if (m->chan[c].count < m->chan[c].cap)
    APPLY(Send_Stores);
  else
    APPLY(Send_Waits);
}

RULE(Send) {
  send_value(m, a, n->at[0], value_of(m, a, n->part[0]), TO_NOTHING);
}

// A sender that waits can store its value now.
RULE(Recv_Buffer) {
  Act *t = &m->act[a];
  Chan *c = &m->chan[t->object];
  int sender = first_waiter(m, W_SEND, t->object, race_of(m, a));
  int16_t value = c->buffer[0];
  (void)n;
  for (int i = 1; i < c->count; i++)
    c->buffer[i - 1] = c->buffer[i];
  c->buffer[--c->count] = 0;
  if (sender != NOBODY) {
    c->buffer[c->count++] = m->act[sender].value;
    wake_value(m, sender, 0);
  }
  done(m, a, t->to, value);
}

RULE(Recv_Sender) {
  Act *t = &m->act[a];
  int sender = first_waiter(m, W_SEND, t->object, race_of(m, a));
  int16_t value = m->act[sender].value;
  (void)n;
  wake_value(m, sender, 0);
  done(m, a, t->to, value);
}

RULE(Recv_Closed) {
  (void)n;
  throw_error(m, a, error_of(CODE_CLOSED));
}

RULE(Recv_Waits) {
  Act *t = &m->act[a];
  (void)n;
  if (!ends_here(m, a))
    block(m, a, W_RECV, t->object, t->to);
}

void receive_value(State *m, int a, int c, int to) {
  const Node *n = NULL;
  m->act[a].object = (int8_t)c;
  m->act[a].to = (int8_t)to;
  m->act[a].sliceable = true;
  if (leaves_at_its_last(m, a))
    return;
  if (m->chan[c].count)
    APPLY(Recv_Buffer);
  else if (first_waiter(m, W_SEND, c, race_of(m, a)) != NOBODY)
    APPLY(Recv_Sender);
  else if (m->chan[c].closed)
    APPLY(Recv_Closed);
  else
    APPLY(Recv_Waits);
}

RULE(Recv) {
  receive_value(m, a, n->at[1], n->at[0]);
}

RULE(Close) {
  int c = n->at[0];
  m->chan[c].closed = true;
  m->act[a].sliceable = true;
  for (int w; (w = first_waiter(m, W_RECV, c, NOBODY)) != NOBODY;)
    wake_error(m, w, error_of(CODE_CLOSED));
  for (int w; (w = first_waiter(m, W_SEND, c, NOBODY)) != NOBODY;)
    wake_error(m, w, error_of(CODE_CLOSED));
}

// ---- semaphores ----
RULE(Acquire_Takes) {
  (void)n;
  m->sem[m->act[a].object]--;
}

RULE(Acquire_Waits) {
  Act *t = &m->act[a];
  (void)n;
  if (!ends_here(m, a))
    block(m, a, W_ACQUIRE, t->object, t->to);
}

void acquire_permit(State *m, int a, int s, int to) {
  const Node *n = NULL;
  m->act[a].object = (int8_t)s;
  m->act[a].to = (int8_t)to;
  m->act[a].sliceable = true;
  if (leaves_at_its_last(m, a))
    return;
  if (to == TO_RESULT)
    m->act[a].value = 0;
  if (m->sem[s] > 0)
    APPLY(Acquire_Takes);
  else
    APPLY(Acquire_Waits);
}

RULE(Acquire) {
  acquire_permit(m, a, n->at[0], TO_NOTHING);
}

RULE(Post_Wakes) {
  (void)a;
  wake_value(m, first_waiter(m, W_ACQUIRE, n->at[0], NOBODY), 0);
}

RULE(Post_Counts) {
  (void)a;
  m->sem[n->at[0]]++;
}

RULE(Post) {
  m->act[a].sliceable = true;
  if (first_waiter(m, W_ACQUIRE, n->at[0], NOBODY) != NOBODY)
    APPLY(Post_Wakes);
  else
    APPLY(Post_Counts);
}

// ---- completions ----
void start_direct(State *m, int a, int k, int to) {
  enum { CANNOT_BE_CANCELLED = 0 };
  m->act[a].sliceable = true;
  if (k == CANNOT_BE_CANCELLED || !ends_here(m, a))
    block(m, a, W_DIRECT, k, to);
}

RULE(Direct) {
  start_direct(m, a, n->at[1], n->at[0]);
}

RULE(Complete) {
  int w = first_waiter(m, W_DIRECT, n->at[0], NOBODY);
  int16_t value = value_of(m, a, n->part[0]);
  m->act[a].sliceable = true;
  if (w != NOBODY)
    wake_value(m, w, value);
}

RULE(Fail) {
  int w = first_waiter(m, W_DIRECT, n->at[0], NOBODY);
  int code = 1 + (value_of(m, a, n->part[0]) & 7);
  m->act[a].sliceable = true;
  if (w != NOBODY)
    wake_error(m, w, error_of(code));
}
