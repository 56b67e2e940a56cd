// rules-activity.c: the rules of activities, tasks and jobs: how they are made, awaited and ended
// (docs/formal.md, "Activities").
#include "machine.h"

// ---- making ----
// The activity runs the function; it has not begun.
int make(State *m, int parent, int f, int16_t argument) {
  int child = act_new(m, parent);
  m->act[child].env = NOBODY;
  start_call(m, child, f, argument, TO_RESULT);
  return child;
}

bool start_now(State *m, int a, int child) {
  m->starter[m->starters].act = (int8_t)a;
  m->starter[m->starters].set = m->sets;
  m->starters++;
  m->act[a].life = STARTER;
  m->act[child].life = RUNS;
  m->current = (int8_t)child;
  return true;
}

// a: the new activity
RULE(Spawn_Queued) {
  (void)n;
  make_ready(m, a, R_START);
}

RULE(Spawn_Now) {
  (void)n;
  m->act[a].set = m->sets;
  start_now(m, m->current, a);
}

RULE(Spawn_Delayed) {
  (void)n;
  m->act[a].delayed = true;
  make_ready(m, a, R_START);
}

RULE(Spawn_Contained) {
  (void)n;
  m->act[a].set = m->sets;
  make_ready(m, a, R_START);
}

// Where the new activity goes.
void spawned(State *m, int parent, int a, int how) {
  const Node *n = NULL;
  const Tree *up = &m->node[m->node[m->act[a].node].parent];
  bool waited_for = up->body && up->owner != NOBODY && m->act[up->owner].set;
  m->act[parent].sliceable = true;
  if (how == AT_ONCE)
    APPLY(Spawn_Now);
  else if (m->sets && (how == CONTAINED || waited_for))
    APPLY(Spawn_Contained);
  else if (m->sets)
    APPLY(Spawn_Delayed);
  else
    APPLY(Spawn_Queued);
}

static int parent_for(const State *m, int a, int how, int identity) {
  if (how == DETACHED)
    return HOST;
  return how == INSIDE ? m->identity[identity] : m->act[a].inner;
}

static bool has_ended(const State *m, int identity) {
  int node = m->identity[identity];
  return node == NOBODY || m->node[node].ended;
}

static void kept(State *m, int a, int t, int child) {
  Frame *k = push(m, a, K_SPAWNED, NULL);
  k->x = (int16_t)t;
  k->y = (int16_t)child;
  m->act[child].handles = 1;
}

// The program has asked whether the node lives; an automatic yield may stand in between.
static bool asks_first(State *m, int a, const Node *n, int how, int identity) {
  if (how != INSIDE)
    return false;
  m->act[a].sliceable = true;
  if (!has_ended(m, identity))
    push(m, a, K_INSIDE, n);
  return true;
}

static void make_kept(State *m, int a, const Node *n) {
  int child = make(m, parent_for(m, a, n->at[1], n->at[3]), n->at[2], value_of(m, a, n->part[0]));
  kept(m, a, n->at[0], child);
  spawned(m, a, child, n->at[1]);
}

static void make_dropped(State *m, int a, const Node *n) {
  int parent = parent_for(m, a, n->at[0], n->at[2]);
  int child = make(m, parent, n->at[1], value_of(m, a, n->part[0]));
  spawned(m, a, child, n->at[0]);
}

RULE(Spawn) {
  if (!asks_first(m, a, n, n->at[1], n->at[3]))
    make_kept(m, a, n);
}

// Of `spawn now`: when the activity has paused or ended.
RULE(Spawn_Value) {
  Frame *k = top(m, a);
  int8_t *to;
  bool *held = task_held(m, a, k->x, &to);
  (void)n;
  *to = (int8_t)k->y;
  *held = true;
  pop(m, a);
}

RULE(Spawn_Dropped) {
  if (!asks_first(m, a, n, n->at[0], n->at[2]))
    make_dropped(m, a, n);
}

// A node that has ended ends the program with a message.
RULE(Spawn_In) {
  bool dropped = n->kind == DROP;
  pop(m, a);
  if (has_ended(m, n->at[dropped ? 2 : 3])) {
    print(m, PLACE_FATAL, 1);
    m->over = true;
  } else if (dropped) {
    make_dropped(m, a, n);
  } else {
    make_kept(m, a, n);
  }
}

// ---- awaiting ----
// The awaiter of a task that has ended gets its value or its error. A cancel of the task is an
// error, but for an awaiter that is cancelled itself.
static void read_result(State *m, int a, int child) {
  Act *t = &m->act[a];
  Act *c = &m->act[child];
  c->seen = true;
  if (c->result == RETURNS)
    assign(m, t->to_env, t->to, c->value);
  if (c->result == RETURNS && t->to == TO_RESULT)
    t->value = c->value;
  if (c->result == RETURNS)
    return;
  throw_to_reader(m, a, c->error);
}

static void result_read(State *m, int child) {
  if (!m->act[child].handles)
    m->node[m->act[child].node].gone = true;
}

RULE(Await_Ended) {
  Act *t = &m->act[a];
  int child = t->object;
  (void)n;
  m->act[child].handles--;
  t->to_env = t->env;
  if (m->act[child].result == CANCELS)
    m->act[child].error = error_of(CODE_CANCELLED);
  read_result(m, a, child);
  result_read(m, child);
}

RULE(Await_Waits) {
  int child = m->act[a].object;
  int to = m->act[a].to;
  (void)n;
  if (!in_atomic(m, a) && ends_here(m, a))
    return;
  m->act[child].handles--;
  block(m, a, W_AWAIT, child, to);
  if (m->sets)
    contain(m, child);
}

// The program ends with a message: its parent has ended, and so the task with it.
RULE(Await_Stale) {
  (void)a, (void)n;
  print(m, PLACE_FATAL, 1);
  m->over = true;
}

RULE(Await_Reached);

void await_activity(State *m, int a, int child, int to) {
  const Node *n = NULL;
  if (!in_own_scope(m, a)) {
    await_now(m, a, child, to);
    return;
  }
  m->act[a].object = (int8_t)child;
  m->act[a].to = (int8_t)to;
  APPLY(Await_Reached);
}

void await_now(State *m, int a, int child, int to) {
  const Node *n = NULL;
  m->act[a].object = (int8_t)child;
  m->act[a].to = (int8_t)to;
  if (child == NOBODY || !m->act[child].handles)
    APPLY(Await_Stale);
  else if (m->act[child].life == ENDED)
    APPLY(Await_Ended);
  else
    APPLY(Await_Waits);
}

static void await(State *m, int a, int t, int to) {
  int8_t *child;
  bool *held = task_held(m, a, t, &child);
  m->act[a].sliceable = true;
  if (!*held && to != TO_RESULT) // an arm has been asked when the race began
    return;
  *held = false;
  if (*child != NOBODY && m->act[*child].handles && arm_leaves(m, a))
    return;
  await_activity(m, a, *child, to);
}

RULE(Await) {
  await(m, a, n->at[1], n->at[0]);
}

void start_arm_await(State *m, int a, int t) {
  await(m, a, t, TO_RESULT);
}

RULE(Share) {
  int8_t *from;
  int8_t *to;
  bool *has = task_held(m, a, n->at[1], &from);
  bool *gets = task_held(m, a, n->at[0], &to);
  m->act[a].sliceable = true;
  if (!*has)
    return;
  *gets = true;
  if (*from == NOBODY || !m->act[*from].handles) {
    *to = NOBODY;
    return;
  }
  m->act[*from].handles++;
  *to = *from;
}

static void orphan(State *m, int a);

// The error of a task that nobody has got goes where those of dropped spawns go.
RULE(Give_Up) {
  int8_t *child;
  bool *held = task_held(m, a, n->at[0], &child);
  m->act[a].sliceable = true;
  if (!*held)
    return;
  *held = false;
  Act *c = &m->act[*child];
  if (*child == NOBODY || !c->handles)
    return;
  if (--c->handles || c->life != ENDED)
    return;
  if (c->result == THROWS && !c->seen)
    orphan(m, *child);
  else
    m->node[c->node].gone = true;
}

// ---- activate ----
// The body names variables that it has not for itself; the reference is one, too.
static bool shares(const Node *n) {
  for (int v = 0; v < VARS; v++)
    if (v != n->at[1] && core_uses(n->part[0], v))
      return true;
  return core_has(n->part[0], REF) || core_has(n->part[0], SETREF);
}

RULE(Activate) {
  int parent_env = m->act[a].env;
  int child = act_new(m, m->act[a].inner);
  int env = env_new(m);
  Env *e = &m->env[env];
  e->outer = (int8_t)parent_env;
  e->copied = (int8_t)n->at[1];
  e->ref_env = m->env[parent_env].ref_env;
  e->ref_var = m->env[parent_env].ref_var;
  if (n->at[1] >= 0)
    e->var[n->at[1]] = *variable(m, parent_env, n->at[1]);
  m->act[child].env = (int8_t)env;
  if (shares(n)) {
    m->act[child].group = (int8_t)parent_env;
    m->env[parent_env].members++;
  }
  push_statement(m, child, n->part[0]);
  m->identity[n->at[0]] = m->act[child].node;
  spawned(m, a, child, PLAIN);
}

// A function is left: it waits for the activities that share its variables. An error or a cancel
// cancels them first.
RULE(Sharing_End) {
  Frame *k = top(m, a);
  (void)n;
  if (k->flag) {
    if (m->act[a].out.how == GOES)
      m->act[a].out = k->out;
    pop(m, a);
    return;
  }
  int env = m->act[a].env;
  k->flag = true;
  for (int i = 0; k->out.how >= THROWS && i < m->acts; i++)
    if (m->act[i].group == env && m->act[i].life != ENDED)
      cancel_node(m, m->act[i].node, false);
  if (m->sets)
    contain_children(m, m->act[a].inner, env);
  block(m, a, W_GROUP, env, TO_NOTHING);
}

// The last one has ended. A cancel that has come meanwhile is met there.
void leave_group(State *m, int a) {
  int env = m->act[a].group;
  if (--m->env[env].members)
    return;
  for (int i = 0; i < m->acts; i++) {
    Act *t = &m->act[i];
    if (t->life != BLOCKED || t->wait != W_GROUP || t->object != env)
      continue;
    bool unwinds = t->stack[t->depth - 1].out.how >= THROWS;
    make_ready(m, i, !unwinds && cancelled(m, i) ? R_CANCEL : R_GO);
  }
}

// ---- yields and time ----
RULE(Yield_Atomic) {
  (void)m, (void)a, (void)n;
}

RULE(Yield_Queues) {
  (void)n;
  m->act[a].waited = true;
  make_ready(m, a, R_YIELD);
  m->current = NOBODY;
}

// A cancelled scope is left.
RULE(Yield_Reached) {
  (void)n;
  ends_here(m, a);
}

RULE(Yield) {
  if (in_own_scope(m, a))
    APPLY(Yield_Reached);
  else if (in_atomic(m, a))
    APPLY(Yield_Atomic);
  else
    APPLY(Yield_Queues);
}

RULE(Checkpoint) {
  (void)n;
  m->act[a].sliceable = true;
  ends_here(m, a);
}

static void sleep_for(State *m, int a, int16_t time, int to) {
  const Node *n = NULL;
  m->act[a].sliceable = true;
  if (time <= 0) {
    if (in_atomic(m, a))
      APPLY(Yield_Atomic);
    else
      APPLY(Yield_Queues);
    return;
  }
  if (ends_here(m, a))
    return;
  block(m, a, W_SLEEP, 0, to);
  m->act[a].until = (int16_t)(m->time + time);
}

RULE(Sleep) {
  sleep_for(m, a, value_of(m, a, n->part[0]), TO_NOTHING);
}

void start_arm_sleep(State *m, int a, int16_t time) {
  sleep_for(m, a, time, TO_RESULT);
}

// ---- jobs ----
RULE(Job) {
  m->job[n->at[0]] = (Job){ (int8_t)n->at[1], value_of(m, a, n->part[0]) };
  m->act[a].sliceable = true;
}

RULE(Await_Job) {
  Job j = m->job[n->at[1]];
  m->act[a].sliceable = true;
  if (j.function <= n->at[2])
    return;
  if (in_atomic(m, a))
    call_reached(m, a, make(m, m->act[a].inner, j.function, j.argument), n->at[0]);
  else
    start_call(m, a, j.function, j.argument, n->at[0]);
}

RULE(Spawn_Job) {
  Job j = m->job[n->at[1]];
  if (j.function <= n->at[2])
    return;
  int child = make(m, m->act[a].inner, j.function, j.argument);
  kept(m, a, n->at[0], child);
  spawned(m, a, child, PLAIN);
}

// ---- the end ----
// A cancel that unwound an activity has cut the scope short at which it was aimed.
static void cut_short(State *m, int node) {
  while (node != HOST && !m->node[node].aimed) {
    if (m->node[node].kind == N_SHIELD)
      return;
    node = m->node[node].parent;
  }
  if (m->node[node].kind == N_SCOPE || m->node[node].kind == N_RACE)
    m->node[node].cut = true;
}

RULE(Body_End) {
  Act *t = &m->act[a];
  Exit out = t->out;
  (void)n;
  t->out = (Exit){ .how = GOES };
  m->current = NOBODY;
  if (t->env != NOBODY) // of the body of an activate
    m->env[t->env] = (Env){ .used = false };
  t->env = NOBODY;
  t->result = RETURNS;
  if (out.how == CANCELS)
    cut_short(m, t->node);
  if (out.how >= THROWS && out.error.code) {
    t->result = THROWS;
    t->error = out.error;
  } else if (out.how == CANCELS) {
    t->result = CANCELS;
  }
  end_activity(m, a);
}

RULE(Children_Wait) {
  (void)n;
  m->act[a].life = BODY;
  m->node[m->act[a].node].body = true;
  if (m->sets)
    contain_children(m, m->act[a].node, NOBODY);
}

// Errors of tasks that nobody has awaited.
static Error kept_errors(State *m, int node) {
  Error all = { 0 };
  for (int i = NOBODY; (i = next_child(m, node, i)) != NOBODY;) {
    Act *c = &m->act[m->node[i].owner];
    if (m->node[i].kind != N_ACT || c->life != ENDED)
      continue;
    if (c->result == THROWS && !c->seen)
      all = join_errors(all, c->error);
    c->seen = true;
    m->node[c->node].gone = true;
    c->handles = 0;
  }
  return all;
}

Error take_kept(State *m, int node) {
  return kept_errors(m, node);
}

RULE(Kept_Errors) {
  Act *t = &m->act[a];
  Error e = kept_errors(m, t->node);
  (void)n;
  if (!e.code)
    return;
  t->error = t->result == THROWS ? join_errors(t->error, e) : e;
  t->result = THROWS;
}

RULE(Orphan_Scope) {
  Act *t = &m->act[a];
  int node = m->node[t->node].parent;
  (void)n;
  while (m->node[node].kind == N_SHIELD)
    node = m->node[node].parent;
  t->seen = true;
  m->node[node].errors = join_errors(m->node[node].errors, t->error);
  cancel_node(m, node, false);
}

RULE(Orphan_Detached) {
  (void)n;
  m->act[a].seen = true;
  handler(m, m->act[a].error);
}

// The error stays with the activity until its parent ends.
RULE(Orphan_Stays) {
  (void)m, (void)a, (void)n;
}

// Of a task that was given up: its activity goes on, or its error goes to the node above.
static void orphan(State *m, int a) {
  const Node *n = NULL;
  int node = m->node[m->act[a].node].parent;
  if (m->act[a].life == ENDED && each_takes(m, a)) {
    each_goes_on(m, a);
    return;
  }
  while (m->node[node].kind == N_SHIELD)
    node = m->node[node].parent;
  switch (m->node[node].kind) {
  case N_SCOPE:
    APPLY(Orphan_Scope);
    break;
  case N_RACE:
    fail_machine(BROKEN, "no lost error: an arm is awaited by its race");
    break;
  case N_HOST:
    APPLY(Orphan_Detached);
    break;
  default:
    APPLY(Orphan_Stays);
  }
}

// Arms of races that wait for nothing more win before they get the result.
static void arms_win(State *m, int a) {
  for (int i = 0; i < m->acts; i++) {
    const Act *w = &m->act[i];
    if (w->arm && w->life == BLOCKED && w->wait == W_AWAIT && w->object == a)
      arm_wins(m, i);
  }
}

// Waiters, for its result or only for its end, go on in the order in which they began to wait.
void wake_waiters(State *m, int a) {
  Act *t = &m->act[a];
  arms_win(m, a);
  for (int w; (w = first_waiter(m, W_AWAIT, a, NOBODY)) != NOBODY;) {
    int joins = first_waiter(m, W_JOIN, t->node, NOBODY);
    if (joins != NOBODY && m->act[joins].stamp < m->act[w].stamp) {
      make_ready(m, joins, R_GO);
      continue;
    }
    t->seen = true;
    if (t->result == RETURNS)
      wake_value(m, w, t->value);
    else
      wake_error(m, w, t->result == THROWS ? t->error : error_of(CODE_CANCELLED));
  }
  join_waiters(m, t->node);
}

void join_waiters(State *m, int node) {
  for (int w; (w = first_waiter(m, W_JOIN, node, NOBODY)) != NOBODY;)
    make_ready(m, w, R_GO);
}

RULE(Value_End) {
  (void)m, (void)a, (void)n;
}

RULE(Error_Awaited) {
  (void)m, (void)a, (void)n;
}

RULE(Cancel_End) {
  (void)m, (void)a, (void)n;
}

// Somebody gets its error.
static bool is_read(const State *m, int a) {
  const Act *t = &m->act[a];
  return (t->handles && t->group == NOBODY) || first_waiter(m, W_AWAIT, a, NOBODY) != NOBODY;
}

static void outcome(State *m, int a) {
  const Node *n = NULL;
  Act *t = &m->act[a];
  if (t->result == RETURNS)
    APPLY(Value_End);
  else if (t->result == CANCELS)
    APPLY(Cancel_End);
  else if (is_read(m, a))
    APPLY(Error_Awaited);
  else
    orphan(m, a);
}

// The body and the children have ended.
RULE(Finish) {
  Act *t = &m->act[a];
  APPLY(Kept_Errors);
  if (!is_read(m, a) && each_takes(m, a))
    return;
  outcome(m, a);
  t->life = ENDED;
  m->node[t->node].ended = true;
  m->node[t->node].stopped = false;
  wake_waiters(m, a);
  if (t->group != NOBODY)
    leave_group(m, a);
  int set = t->set;
  t->set = 0;
  if (set)
    set_member_ended(m, set);
  if (t->arm)
    arm_ended(m, a);
  bool stays = t->handles || (t->result == THROWS && !t->seen);
  m->node[t->node].gone = !stays;
  if (m->node[m->node[t->node].parent].body)
    m->node[t->node].place = ++m->places;
}

void end_activity(State *m, int a) {
  const Node *n = NULL;
  if (live_child(m, m->act[a].node)) {
    APPLY(Children_Wait);
    return;
  }
  int parent = m->node[m->act[a].node].parent;
  bool returned = m->act[a].result == RETURNS;
  APPLY(Finish);
  if (m->act[a].life == ENDED) {
    child_ended(m, parent);
    return;
  }
  if (returned) {
    make_ready(m, a, R_START);
    return;
  }
  m->act[a].life = RUNS;
  m->current = (int8_t)a;
}

RULE(Scope_Children_End) {
  Tree *s = &m->node[m->act[a].object];
  (void)n;
  if (s->kind == N_RACE && s->winner == NOBODY)
    drop_errors(m, m->act[a].object);
  s->ended = true;
  s->met = node_cancelled(m, s->parent);
  make_ready(m, a, R_GO);
}

// The end of an activity may end its parent.
void child_ended(State *m, int node) {
  while (node != HOST && m->node[node].body && !m->node[node].ended && !live_child(m, node)) {
    int a = m->node[node].owner;
    const Node *n = NULL;
    if (m->node[node].kind != N_ACT) {
      if (!each_revives(m, node))
        APPLY(Scope_Children_End);
      return;
    }
    int up = m->node[node].parent;
    APPLY(Finish);
    if (m->act[a].life != ENDED) {
      make_ready(m, a, R_START);
      return;
    }
    node = up;
  }
}

// ---- the domain ----
static void receive(State *m, int a) {
  Act *t = &m->act[a];
  switch ((Resume)t->resume) {
  case R_YIELD:
    if (cancelled(m, a))
      t->out = (Exit){ .how = CANCELS };
    break;
  case R_VALUE:
    assign(m, t->to_env, t->to, t->value);
    break;
  case R_ERROR:
    throw_to_reader(m, a, t->error);
    break;
  case R_CANCEL:
    t->out = (Exit){ .how = CANCELS };
    break;
  default:
    break;
  }
}

RULE(Run) {
  (void)n;
  m->act[a].life = RUNS;
  m->current = (int8_t)a;
  m->act[a].sliceable = m->act[a].resume != R_SLICE;
  m->act[a].sliced = m->act[a].resume == R_SLICE;
  receive(m, a);
}

RULE(Set_Aside) {
  Act *t = &m->act[a];
  (void)n;
  if (t->resume == R_START || t->resume == R_YIELD || t->resume == R_CANCEL)
    t->stamp = ++m->stamp;
  t->life = ASIDE;
}

RULE(Slice) {
  (void)n;
  make_ready(m, a, R_SLICE);
  m->act[a].stamp = ++m->stamp;
  m->current = NOBODY;
  if (m->act[a].arm && m->act[a].waited) // it has got what it wanted
    arm_wins(m, a);
}

static int next_after(const State *m) {
  int first = NOBODY;
  for (int i = 0; i < m->afters; i++)
    if (!deadline_counts(m, i))
      continue;
    else if (first == NOBODY || m->after[i].until < m->after[first].until)
      first = i;
  return first;
}

static int next_sleeper(const State *m) {
  int first = NOBODY;
  for (int i = 0; i < m->acts; i++) {
    const Act *t = &m->act[i];
    if (t->life != BLOCKED || t->wait != W_SLEEP)
      continue;
    const Act *f = first == NOBODY ? NULL : &m->act[first];
    if (!f || t->until < f->until || (t->until == f->until && t->stamp < f->stamp))
      first = i;
  }
  return first;
}

// One moment: all that is due goes on, in the order in which it began.
RULE(Time) {
  int w = next_sleeper(m);
  int d = next_after(m);
  (void)a, (void)n;
  m->time = d == NOBODY || (w != NOBODY && m->act[w].until < m->after[d].until)
                ? m->act[w].until
                : m->after[d].until;
  for (;;) {
    w = next_sleeper(m);
    d = next_after(m);
    bool sleeper = w != NOBODY && m->act[w].until == m->time;
    bool deadline = d != NOBODY && m->after[d].until == m->time;
    if (sleeper && (!deadline || m->act[w].stamp < m->after[d].stamp)) {
      wake_value(m, w, 0);
    } else if (deadline) {
      int node = m->after[d].node;
      for (int i = d + 1; i < m->afters; i++)
        m->after[i - 1] = m->after[i];
      m->afters--;
      cancel_node(m, node, true);
    } else {
      return;
    }
  }
}

// Nothing is ready, and no program makes the completion that an activity waits for.
RULE(Waits_For_Ever) {
  (void)a, (void)n;
  print(m, PLACE_WAITS, 0);
  m->over = true;
}

// An atomic has made a call that runs as an activity: what waits is that activity.
static bool awaits_its_call(const State *m, int a) {
  const Act *t = &m->act[a];
  return in_atomic(m, a) && t->stack[t->depth - 1].op == K_AWAITED;
}

// Waits that others rely on cannot be given up. Atomic code can be thrown the error by an await
// only.
static bool may_give_up(const State *m, int a) {
  const Act *t = &m->act[a];
  if (t->life != BLOCKED || t->set != m->sets || (node_held(m, t->inner) && !m->sets))
    return false;
  if (in_atomic(m, a))
    return t->wait == W_AWAIT;
  return t->wait != W_SCOPE && t->wait != W_GROUP && t->wait != W_ALONE;
}

// Nothing is ready and nothing is pending: an error is thrown in the activity that blocked last.
RULE(Deadlock) {
  int last = NOBODY;
  int owner = NOBODY;
  (void)a, (void)n;
  for (int i = 0; i < m->acts; i++)
    if (!may_give_up(m, i))
      continue;
    else if (awaits_its_call(m, i))
      owner = i;
    else if (last == NOBODY || m->act[i].stamp > m->act[last].stamp)
      last = i;
  if (last == NOBODY)
    last = owner;
  if (last == NOBODY) {
    print(m, PLACE_FATAL, 1);
    m->over = true;
    return;
  }
  if (m->act[last].wait == W_AWAIT)
    m->act[m->act[last].object].handles++;
  make_ready(m, last, R_ERROR);
  m->act[last].error = error_of(CODE_DEADLOCK);
}

// The root has ended: what is detached is cancelled, also what it makes while it unwinds.
RULE(Domain_End) {
  (void)a, (void)n;
  m->ending = true;
  cancel_detached(m);
}

// The root awaits function 0, and prints how it has ended.
RULE(Root_End) {
  Frame *k = top(m, a);
  Exit out = m->act[a].out;
  (void)n;
  if (!k->flag) {
    k->flag = true;
    int child = make(m, m->act[a].inner, 0, 0);
    m->act[child].handles = 1;
    spawned(m, a, child, PLAIN);
    m->act[a].object = (int8_t)child;
    m->act[a].to = 0;
    APPLY(Await_Waits);
    return;
  }
  pop(m, a);
  m->act[a].out = (Exit){ .how = GOES };
  m->act[a].sliceable = true;
  if (out.how == THROWS)
    print(m, PLACE_ERROR, codes(out.error));
  else
    print(m, PLACE_VALUE, m->env[m->act[a].env].var[0]);
}
