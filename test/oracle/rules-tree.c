// rules-tree.c: the rules of scopes, shields, cancel, pause and race (docs/formal.md, "The tree").
#include "machine.h"

#include <string.h>

// ---- scopes ----
RULE(Scope) {
  int node = region_enter(m, a, N_SCOPE);
  Frame *k = push(m, a, K_SCOPE, n);
  m->identity[n->at[0]] = (int8_t)node;
  k->x = (int16_t)node;
  k->y = m->act[a].env;
  push_statement(m, a, n->part[0]);
}

// Every exit waits for the children; an error and a cancel cancel them first.
RULE(Scope_End) {
  Frame *k = top(m, a);
  int node = k->x;
  (void)n;
  k->op = K_WAITS;
  k->out = m->act[a].out;
  m->act[a].out = (Exit){ .how = GOES };
  m->node[node].body = true;
  if (k->out.how >= THROWS)
    cancel_node(m, node, false);
  if (!live_child(m, node) && !each_revives(m, node)) {
    m->node[node].ended = true;
    return;
  }
  if (m->sets)
    contain_children(m, node, NOBODY);
  block(m, a, W_SCOPE, node, TO_NOTHING);
}

RULE(Scope_Throws) {
  Frame *k = top(m, a);
  (void)n;
  throw_error(m, a, k->out.error);
}

RULE(Scope_Unwinds) {
  Frame *k = top(m, a);
  (void)n;
  m->act[a].out = (Exit){ .how = CANCELS, .error = k->out.error };
}

RULE(Scope_Else) {
  (void)n;
  m->act[a].out = (Exit){ .how = GOES };
}

RULE(Scope_Goes_On) {
  (void)n;
  m->act[a].out = top(m, a)->out;
}

// Errors come first, then a cancel from above, then the scope's own cancel.
RULE(Scope_Outcome) {
  Frame *k = top(m, a);
  int node = k->x;
  Tree s = m->node[node];
  Error kept = take_kept(m, node);
  Error errors = join_errors(s.errors, kept);
  int how = k->out.how;
  region_leave(m, a, node);
  bool met = how == CANCELS || s.met || (s.target && s.cut);
  bool unwinds = met && cancelled(m, a);
  bool failed = how == THROWS || (errors.code && !errors.in_cancel);
  bool other = false;
  k->out.error = join_errors(how >= THROWS ? k->out.error : error_of(0), errors);
  if (failed || (k->out.error.code && !unwinds))
    APPLY(Scope_Throws);
  else if (unwinds || (how == CANCELS && !s.target))
    APPLY(Scope_Unwinds);
  else if (s.target && (how == CANCELS || s.cut))
    other = true;
  else
    APPLY(Scope_Goes_On);
  if (other)
    APPLY(Scope_Else);
  pop(m, a);
  if (other)
    push_statement(m, a, n->part[1]);
}

// ---- catch each ----
static const Frame *frame_of_scope(const State *m, int node) {
  const Act *owner = &m->act[m->node[node].owner];
  const Frame *k = &owner->stack[owner->depth - 1];
  while ((k->op != K_SCOPE && k->op != K_WAITS) || k->x != node)
    k--;
  return k;
}

// The child goes on in the clause, which shares the variables of the scope's function. What it
// shared before ends with its own body.
RULE(Each_Takes) {
  Act *t = &m->act[a];
  const Frame *scope;
  int node = m->node[t->node].parent;
  int env = env_new(m);
  (void)n;
  while (m->node[node].kind == N_SHIELD)
    node = m->node[node].parent;
  scope = frame_of_scope(m, node);
  if (t->group != NOBODY)
    leave_group(m, a);
  t->group = NOBODY;
  t->clause = true;
  t->sliceable = true;
  m->node[t->node].body = false;
  m->env[env].outer = (int8_t)scope->y;
  t->env = (int8_t)env;
  push(m, a, K_EACH, node_at(scope->node))->out = (Exit){ .how = THROWS, .error = t->error };
}

// Errors of the clause itself are the scope's.
bool each_takes(State *m, int a) {
  const Node *n = NULL;
  const Act *t = &m->act[a];
  int node = m->node[t->node].parent;
  while (m->node[node].kind == N_SHIELD)
    node = m->node[node].parent;
  if (t->result != THROWS || t->clause || m->node[node].kind != N_SCOPE)
    return false;
  if (node_at(frame_of_scope(m, node)->node)->part[2]->kind == NONE)
    return false;
  APPLY(Each_Takes);
  return true;
}

// An activity that had ended is queued.
void each_goes_on(State *m, int a) {
  Act *t = &m->act[a];
  t->handles = 0;
  t->delayed = m->sets > 0;
  m->node[t->node].ended = m->node[t->node].gone = false;
  m->node[t->node].place = ++m->places;
  make_ready(m, a, R_START);
}

// All else has ended: the clause gets the errors of tasks that nobody has awaited.
RULE(Each_Revives) {
  (void)n;
  each_goes_on(m, a);
}

// In the order in which they were made or ended.
bool each_revives(State *m, int node) {
  int order[MAX_ACTS];
  int count = 0;
  bool any = false;
  const Node *n = NULL;
  for (int i = NOBODY; (i = next_child(m, node, i)) != NOBODY;)
    if (m->node[i].kind == N_ACT && !m->act[m->node[i].owner].seen)
      order[count++] = m->node[i].owner;
  for (int i = 0; i < count; i++) {
    int a = order[i];
    if (m->act[a].life != ENDED || !each_takes(m, a))
      continue;
    APPLY(Each_Revives);
    any = true;
  }
  if (any && m->sets)
    contain_children(m, node, NOBODY);
  return any;
}

// The clause begins, if it is for errors of this type; then it has ended.
RULE(Each_End) {
  Act *t = &m->act[a];
  Frame *k = top(m, a);
  if (k->flag || t->out.how != GOES) {
    pop(m, a);
    return;
  }
  k->flag = true;
  if (!n->at[2] && k->out.error.code >= TYPE_1) {
    t->out = k->out;
    return;
  }
  assign(m, t->env, n->at[1], wrap(n->at[2] ? codes(k->out.error) : k->out.error.code));
  push_statement(m, a, n->part[2]);
}

// ---- shields ----
RULE(Shield) {
  int node = region_enter(m, a, N_SHIELD);
  push(m, a, K_SHIELD, n)->x = (int16_t)node;
  push_statement(m, a, n->part[0]);
}

RULE(Shield_End) {
  int node = top(m, a)->x;
  (void)n;
  pop(m, a);
  leave_shield(m, a, node);
}

// ---- cancel ----
static bool cancellable(const State *m, int a) {
  const Act *t = &m->act[a];
  if (t->life != BLOCKED || in_atomic(m, a))
    return false;
  switch ((Wait)t->wait) {
  case W_SCOPE:
  case W_GROUP:
  case W_ALONE:
    return false;
  case W_DIRECT:
    return t->object == 1; // the other one has no fm_on_cancel
  default:
    return true;
  }
}

// The wait of a blocked activity has no effect any more.
RULE(Cancel_Blocked) {
  Act *t = &m->act[a];
  (void)n;
  if (t->wait == W_AWAIT)
    m->act[t->object].handles++;
  t->resume = R_CANCEL;
}

static void let_go(State *m) {
  bool which[MAX_ACTS] = { false };
  for (int i = 0; i < m->acts; i++)
    which[i] = m->act[i].life == ASIDE && !node_held(m, m->act[i].inner);
  release(m, which);
}

static bool end_pauses(State *m, int node) {
  bool lifted = false;
  for (int i = 1; i < m->nodes; i++)
    if (m->node[i].stopped && !m->node[i].gone && below(m, i, node)) {
      m->node[i].stopped = false;
      lifted = true;
    }
  return lifted;
}

static void deliver_cancels(State *m) {
  bool which[MAX_ACTS] = { false };
  const Node *n = NULL;
  for (int a = 0; a < m->acts; a++)
    if (cancellable(m, a) && cancelled(m, a)) {
      APPLY(Cancel_Blocked);
      which[a] = true;
    }
  release(m, which);
}

static void resume(State *m, int node) {
  if (!m->node[node].stopped)
    return;
  m->node[node].stopped = false;
  let_go(m);
}

void cancel_node(State *m, int node, bool target) {
  // nothing is left of a node that has ended, but a pause may hold the end of a scope
  if (m->node[node].ended) {
    if (target)
      resume(m, node);
    return;
  }
  if (target)
    m->node[node].target = true;
  if (node_cancelled(m, node))
    return;
  m->node[node].aimed = true;
  if (end_pauses(m, node))
    let_go(m);
  deliver_cancels(m);
}

// One cancel for all: those that it releases go on in the order in which they blocked.
void cancel_detached(State *m) {
  bool lifted = false;
  for (int i = 1; i < m->nodes; i++)
    if (m->node[i].kind == N_ACT && m->node[i].parent == HOST && !m->node[i].ended &&
        m->node[i].owner && !m->node[i].aimed) {
      m->node[i].aimed = true;
      lifted |= end_pauses(m, i);
    }
  if (lifted)
    let_go(m);
  deliver_cancels(m);
}

// Cancels from above reach the children now.
void leave_shield(State *m, int a, int node) {
  bool lifted = false;
  bool own[MAX_NODES] = { false };
  for (int i = NOBODY; (i = next_child(m, node, i)) != NOBODY;)
    own[i] = true;
  region_leave(m, a, node);
  for (int i = 0; i < m->nodes; i++)
    if (own[i] && node_cancelled(m, i))
      lifted |= end_pauses(m, i);
  if (lifted)
    let_go(m);
  deliver_cancels(m);
}

RULE(Identity) {
  int8_t *child;
  task_held(m, a, n->at[1], &child);
  m->act[a].sliceable = true;
  if (*child != NOBODY)
    m->identity[n->at[0]] = m->act[*child].node;
}

RULE(Self) {
  m->act[a].sliceable = true;
  m->identity[n->at[0]] = m->act[a].node;
}

RULE(Cancel) {
  int node = m->identity[n->at[0]];
  m->act[a].sliceable = true;
  if (node != NOBODY)
    cancel_node(m, node, true);
}

// After at least 1 ms: until then what is ready runs first.
RULE(Cancel_After) {
  int node = m->identity[n->at[0]];
  int16_t time = value_of(m, a, n->part[0]);
  m->act[a].sliceable = true;
  if (node == NOBODY || m->node[node].ended)
    return;
  if (m->afters == MAX_AFTER) {
    fail_machine(TOO_LARGE, "too many deadlines");
    return;
  }
  m->after[m->afters].node = (int8_t)node;
  m->after[m->afters].until = (int16_t)(m->time + (time > 0 ? time : 1));
  m->after[m->afters].stamp = ++m->stamp;
  m->afters++;
}

// ---- pause ----
RULE(Pause) {
  int node = m->identity[n->at[0]];
  m->act[a].sliceable = true;
  if (node != NOBODY && !m->node[node].ended && !node_cancelled(m, node))
    m->node[node].stopped = true;
}

RULE(Resume) {
  int node = m->identity[n->at[0]];
  m->act[a].sliceable = true;
  if (node != NOBODY)
    resume(m, node);
}

void join_node(State *m, int a, int node) {
  m->act[a].sliceable = true;
  if (node == NOBODY || m->node[node].ended || ends_here(m, a))
    return;
  block(m, a, W_JOIN, node, TO_NOTHING);
  if (m->sets && m->node[node].kind == N_ACT)
    contain(m, m->node[node].owner);
}

RULE(Join) {
  join_node(m, a, m->identity[n->at[0]]);
}

// ---- race ----
static bool takes_part(State *m, int a, const Node *arm) {
  int8_t *child;
  if (arm->kind != ARM || !value_of(m, a, arm->part[0]))
    return false;
  return arm->at[0] != ARM_AWAIT || *task_held(m, a, arm->at[2], &child);
}

RULE(Race) {
  int mask = 0;
  for (int i = 0; i < n->parts; i++)
    if (takes_part(m, a, n->part[i]))
      mask |= 1 << i;
  Frame *k = push(m, a, K_RACE, n);
  k->x = (int16_t)region_enter(m, a, N_RACE);
  k->y = (int16_t)mask;
  m->act[a].sliceable = true;
}

// The others are cancelled in the same step.
void decide(State *m, int node, int winner) {
  m->node[node].winner = (int8_t)winner;
  for (int i = 0; i < m->acts; i++)
    if (m->node[m->act[i].node].parent == node && i != winner && m->act[i].life != ENDED)
      cancel_node(m, m->act[i].node, false);
}

static bool is_open(const State *m, int node) {
  return m->node[node].winner == NOBODY && !node_cancelled(m, node);
}

RULE(Race_Starts) {
  Frame *k = top(m, a);
  int node = k->x;
  int arm = act_new(m, node);
  Act *t = &m->act[arm];
  t->arm = true;
  t->handles = 1;
  t->env = m->act[a].env;
  push(m, arm, K_ARM, n->part[k->value]);
  k->value++;
  spawned(m, a, arm, AT_ONCE);
}

RULE(Race_Default) {
  Frame *k = top(m, a);
  (void)n;
  decide(m, k->x, DEFAULT_WINS);
}

RULE(Race_Waits) {
  int node = top(m, a)->x;
  (void)n;
  m->node[node].body = true;
  if (m->sets)
    contain_children(m, node, NOBODY);
  block(m, a, W_SCOPE, node, TO_NOTHING);
}

RULE(Race_Never) {
  (void)n;
  if (!ends_here(m, a))
    block(m, a, W_NEVER, 0, TO_NOTHING);
}

static const Node *default_of(const Node *n) {
  for (int i = 0; i < n->parts; i++)
    if (n->part[i]->kind == DEFAULT)
      return n->part[i];
  return NULL;
}

static bool has_children(const State *m, int node) {
  for (int i = 0; i < m->acts; i++)
    if (m->node[m->act[i].node].parent == node)
      return true;
  return false;
}

// All arms have been started, or one has ended.
static void race_starts_waiting(State *m, int a, const Node *n) {
  Frame *k = top(m, a);
  k->flag = true;
  if (default_of(n) && is_open(m, k->x))
    APPLY(Race_Default);
  if (!has_children(m, k->x) && is_open(m, k->x))
    APPLY(Race_Never);
  else if (live_child(m, k->x))
    APPLY(Race_Waits);
}

// Nobody gets what the arms of the race have thrown.
void drop_errors(State *m, int race) {
  Error e = take_kept(m, race);
  if (e.code)
    handler(m, e);
}

RULE(Race_Cancelled) {
  int node = top(m, a)->x;
  (void)n;
  drop_errors(m, node);
  pop(m, a);
  region_leave(m, a, node);
  m->act[a].out = (Exit){ .how = CANCELS };
}

RULE(Race_Deadlock) {
  int node = top(m, a)->x;
  (void)n;
  pop(m, a);
  region_leave(m, a, node);
}

RULE(Race_Default_Won) {
  int node = top(m, a)->x;
  drop_errors(m, node);
  pop(m, a);
  region_leave(m, a, node);
  push_statement(m, a, default_of(n)->part[0]);
}

RULE(Race_Won) {
  int node = top(m, a)->x;
  int winner = m->node[node].winner;
  Act w = m->act[winner];
  const Node *arm = node_at(top(m, a)->value);
  (void)n;
  m->act[winner].seen = true;
  Error losers = take_kept(m, node);
  pop(m, a);
  region_leave(m, a, node);
  if (w.result == THROWS) {
    throw_to_reader(m, a, join_errors(w.error, losers));
    return;
  }
  if (losers.code)
    handler(m, losers);
  if (w.result == RETURNS) {
    if (arm->at[0] == ARM_CALL || arm->at[0] == ARM_RECV || arm->at[0] == ARM_AWAIT)
      assign(m, m->act[a].env, arm->at[1], w.value);
    push_statement(m, a, arm->part[2]);
  } else {
    throw_to_reader(m, a, error_of(CODE_CANCELLED));
  }
}

static void race_ends(State *m, int a, const Node *n) {
  Frame *k = top(m, a);
  int winner = m->node[k->x].winner;
  if (m->act[a].out.how == THROWS) {
    APPLY(Race_Deadlock);
  } else if (winner == NOBODY) {
    APPLY(Race_Cancelled);
  } else if (winner == DEFAULT_WINS) {
    APPLY(Race_Default_Won);
  } else {
    k->value = m->act[winner].until; // the statement of its arm
    APPLY(Race_Won);
  }
}

RULE(Race_Next) {
  Frame *k = top(m, a);
  if (k->flag) {
    race_ends(m, a, n);
    return;
  }
  while (k->value < n->parts && !(k->y >> k->value & 1))
    k->value++;
  if (k->value < n->parts && is_open(m, k->x))
    APPLY(Race_Starts);
  else
    race_starts_waiting(m, a, n);
}

static void arm_begins(State *m, int a, const Node *n) {
  int16_t value = value_of(m, a, n->part[1]);
  switch (n->at[0]) {
  case ARM_CALL:
    start_call(m, a, n->at[2], value, TO_RESULT);
    break;
  case ARM_RECV:
    receive_value(m, a, n->at[2], TO_RESULT);
    break;
  case ARM_SEND:
    send_value(m, a, n->at[2], value, TO_RESULT);
    break;
  case ARM_SLEEP:
    start_arm_sleep(m, a, value);
    break;
  case ARM_AWAIT:
    start_arm_await(m, a, n->at[2]);
    break;
  case ARM_ACQUIRE:
    acquire_permit(m, a, n->at[2], TO_RESULT);
  }
}

// An arm begins; then it has ended.
RULE(Arm_End) {
  Frame *k = top(m, a);
  if (k->flag || m->act[a].out.how != GOES) {
    pop(m, a);
    m->act[a].env = NOBODY; // it is the owner's
    m->act[a].until = k->node;
    return;
  }
  k->flag = true;
  arm_begins(m, a, n);
}

RULE(Arm_Wins) {
  (void)n;
  decide(m, m->node[m->act[a].node].parent, a);
}

// Arms that end because the whole race is cancelled do not win.
void arm_ended(State *m, int a) {
  const Node *n = NULL;
  int node = m->act[a].node;
  int race = m->node[node].parent;
  bool lost = node_cancelled(m, race) && !m->node[node].target && m->act[a].result != RETURNS &&
              node_cancelled(m, node);
  if (!lost && m->node[race].winner == NOBODY)
    APPLY(Arm_Wins);
}

// The wait that has been completed was the last one of the arm.
void arm_wins(State *m, int a) {
  const Node *n = NULL;
  int race = m->node[m->act[a].node].parent;
  if (m->node[race].winner == NOBODY && ends_with_its_wait(m, a))
    APPLY(Arm_Wins);
}

RULE(Arm_Leaves) {
  (void)n;
  m->act[a].out = (Exit){ .how = CANCELS };
}

// An arm that has lost its race during an automatic yield does nothing more that others notice.
bool arm_leaves(State *m, int a) {
  const Node *n = NULL;
  int race = m->node[m->act[a].node].parent;
  if (!m->act[a].arm || m->node[race].winner == NOBODY || m->node[race].winner == a ||
      in_atomic(m, a) || !cancelled(m, a))
    return false;
  APPLY(Arm_Leaves);
  return true;
}
