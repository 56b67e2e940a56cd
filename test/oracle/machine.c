// machine.c: what the rules of the abstract machine share: stacks, the tree, the ready queue, and
// the choice of the rule that applies.
#include "machine.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

Machine machine;

// ---- rules that were used ----
enum { MAX_RULES = 200 };
static const char *names[MAX_RULES] = { "" };
static unsigned long counts[MAX_RULES];
static int rules = 1;

enum { MAX_LOG = 20000 };
static struct {
  const char *rule;
  int token;
} applied[MAX_LOG];
static int logged;

void machine_applied(const char *rule, int *slot) {
  if (!*slot) {
    for (*slot = 1; *slot < rules && strcmp(names[*slot], rule); ++*slot)
      ;
    if (*slot == rules)
      names[rules++] = rule;
  }
  counts[*slot]++;
  machine.rule = rule;
  if (machine.log && logged < MAX_LOG) {
    applied[logged].rule = rule;
    applied[logged++].token = machine.traced;
  }
}

void machine_log_print(int token) {
  enum { LAST = 6 };
  int last = 0;
  while (last < logged && applied[last].token <= token)
    last++;
  int first = last > LAST ? last - LAST : 0;
  while (applied[first].token < token && first + 1 < last)
    first++;
  for (; first < last; first++)
    printf(" %s", applied[first].rule);
}

int machine_rules(const char *const **n, const unsigned long **c) {
  *n = names + 1;
  *c = counts + 1;
  return rules - 1;
}

void fail_machine(Trouble t, const char *why) {
  if (machine.trouble)
    return;
  machine.trouble = t;
  machine.why = why;
}

// ---- values ----
const Node *node_at(int index) {
  return machine.program->nodes[index];
}

int16_t wrap(int v) {
  return (int16_t)(v % 1000);
}

// The body of an activate has one variable for itself, and shares all others.
int16_t *variable(State *m, int env, int i) {
  while (m->env[env].outer != NOBODY && m->env[env].copied != i)
    env = m->env[env].outer;
  return &m->env[env].var[i];
}

void assign(State *m, int env, int to, int16_t value) {
  if (to >= 0)
    *variable(m, env, to) = value;
}

bool *task_held(State *m, int a, int t, int8_t **act) {
  if (t >= LOCAL_TASKS) {
    *act = &m->task[t];
    return &m->held[t];
  }
  int env = m->act[a].env;
  while (m->env[env].outer != NOBODY)
    env = m->env[env].outer;
  *act = &m->env[env].task[t];
  return &m->env[env].held[t];
}

int16_t value_of(State *m, int a, const Node *e) {
  int env = m->act[a].env;
  switch (e->kind) {
  case INT:
    return (int16_t)e->at[0];
  case VAR:
    return *variable(m, env, e->at[0]);
  case GLOBAL:
    return m->global[e->at[0]];
  case REF:
    return *variable(m, m->env[env].ref_env, m->env[env].ref_var);
  case ADD:
    return wrap(value_of(m, a, e->part[0]) + value_of(m, a, e->part[1]));
  case SUB:
    return wrap(value_of(m, a, e->part[0]) - value_of(m, a, e->part[1]));
  case LESS:
    return value_of(m, a, e->part[0]) < value_of(m, a, e->part[1]);
  case NOW:
    return m->time;
  case ALIVE:
    return m->identity[e->at[0]] != NOBODY && !m->node[m->identity[e->at[0]]].ended;
  default:
    fail_machine(BROKEN, "no expression");
    return 0;
  }
}

// ---- stacks ----
Frame *push(State *m, int a, Op op, const Node *n) {
  Act *t = &m->act[a];
  if (t->depth == MAX_DEPTH) {
    fail_machine(TOO_LARGE, "a stack is too deep");
    return &t->stack[MAX_DEPTH - 1];
  }
  t->stack[t->depth] = (Frame){ .op = (uint8_t)op, .node = (int16_t)(n ? n->index : -1) };
  return &t->stack[t->depth++];
}

void push_statement(State *m, int a, const Node *n) {
  if (n->kind != NONE)
    push(m, a, K_SEQ, n);
}

void pop(State *m, int a) {
  m->act[a].depth--;
}

Frame *top(State *m, int a) {
  return &m->act[a].stack[m->act[a].depth - 1];
}

int env_new(State *m) {
  for (int i = 0; i < MAX_ENVS; i++)
    if (!m->env[i].used) {
      m->env[i] = (Env){ .used = true, .outer = NOBODY, .copied = NOBODY };
      for (int t = 0; t < LOCAL_TASKS; t++)
        m->env[i].task[t] = NOBODY;
      for (int v = 0; v < VARS; v++)
        m->env[i].var[v] = (int16_t)v;
      return i;
    }
  fail_machine(TOO_LARGE, "too many calls");
  return MAX_ENVS - 1;
}

// ---- the tree ----
int tree_new(State *m, NodeKind kind, int parent, int owner) {
  if (m->nodes == MAX_NODES) {
    fail_machine(TOO_LARGE, "too many nodes");
    return MAX_NODES - 1;
  }
  m->node[m->nodes] = (Tree){ .kind = (uint8_t)kind,
                              .parent = (int8_t)parent,
                              .owner = (int8_t)owner,
                              .winner = NOBODY,
                              .place = ++m->places };
  return m->nodes++;
}

int act_new(State *m, int parent) {
  if (m->acts == MAX_ACTS) {
    fail_machine(TOO_LARGE, "too many activities");
    return MAX_ACTS - 1;
  }
  int a = m->acts++;
  int node = tree_new(m, N_ACT, parent, a);
  m->act[a] = (Act){ .life = READY,
                     .env = NOBODY,
                     .group = NOBODY,
                     .node = (int8_t)node,
                     .inner = (int8_t)node };
  return a;
}

int region_enter(State *m, int a, NodeKind kind) {
  int node = tree_new(m, kind, m->act[a].inner, a);
  m->act[a].inner = (int8_t)node;
  return node;
}

// The child of the node that comes after the given one, or the first.
int next_child(const State *m, int node, int after) {
  int next = NOBODY;
  for (int i = 1; i < m->nodes; i++) {
    const Tree *t = &m->node[i];
    if (t->parent != node || t->gone || (after != NOBODY && t->place <= m->node[after].place))
      continue;
    if (next == NOBODY || t->place < m->node[next].place)
      next = i;
  }
  return next;
}

// Children that are left belong to the node above.
void region_leave(State *m, int a, int node) {
  for (int i; (i = next_child(m, node, NOBODY)) != NOBODY;)
    m->node[i].parent = m->node[node].parent;
  m->act[a].inner = m->node[node].parent;
  m->node[node].ended = m->node[node].gone = true;
  m->node[node].stopped = false;
  join_waiters(m, node);
}

bool below(const State *m, int node, int above) {
  while (node != above && node != HOST)
    node = m->node[node].parent;
  return node == above;
}

// The set that contains an activity, which may own others.
static int contained_in(const Act *t) {
  for (int i = 0; i < t->depth; i++)
    if (t->stack[i].op == K_ATOMIC)
      return t->stack[i].y;
  return t->set;
}

// An atomic contains this activity, and what is above it is outside.
static bool held_back(const State *m, const Tree *node) {
  const Tree *up = &m->node[node->parent];
  if (node->kind != N_ACT)
    return false;
  const Act *t = &m->act[node->owner];
  int set = contained_in(t);
  return set && t->life != ENDED && !below(m, node->parent, m->set[set].shield) &&
         (up->owner == NOBODY || contained_in(&m->act[up->owner]) < set);
}

// A shield stops the cancels from above it, and so does an atomic.
bool node_cancelled(const State *m, int node) {
  for (; node != HOST; node = m->node[node].parent) {
    if (m->node[node].aimed)
      return true;
    if (m->node[node].kind == N_SHIELD || held_back(m, &m->node[node]))
      return false;
  }
  return false;
}

bool deadline_counts(const State *m, int i) {
  const Tree *t = &m->node[m->after[i].node];
  return !t->ended || (t->kind == N_SCOPE && t->stopped);
}

bool cancelled(const State *m, int a) {
  return node_cancelled(m, m->act[a].inner);
}

// The error says that a task was cancelled, and so is its reader, usually by the same cancel: it
// goes on, and there is no error, unless others hang on it.
void throw_to_reader(State *m, int a, Error e) {
  if (e.code == CODE_CANCELLED && !e.more && cancelled(m, a))
    m->act[a].out = (Exit){ .how = CANCELS };
  else
    throw_error(m, a, e);
}

bool node_held(const State *m, int node) {
  for (; node != HOST; node = m->node[node].parent)
    if (m->node[node].stopped)
      return true;
  return false;
}

bool live_child(const State *m, int node) {
  for (int i = 0; i < m->nodes; i++)
    if (m->node[i].parent == node && m->node[i].kind == N_ACT && !m->node[i].ended)
      return true;
  return false;
}

bool in_atomic(const State *m, int a) {
  for (int i = 1; i <= m->sets; i++)
    if (m->set[i].owner == a)
      return true;
  return false;
}

// ---- ready and blocked ----
void make_ready(State *m, int a, Resume how) {
  Act *t = &m->act[a];
  t->life = READY;
  t->resume = (uint8_t)how;
  t->wait = W_NONE;
  t->until = (int16_t)++m->stamp; // its place in the queue
}

// The current activity waits.
void block(State *m, int a, Wait kind, int object, int to) {
  Act *t = &m->act[a];
  t->life = BLOCKED;
  t->waited |= !in_atomic(m, a);
  t->wait = (uint8_t)kind;
  t->object = (int8_t)object;
  t->to = (int8_t)to;
  t->to_env = t->env;
  t->stamp = ++m->stamp;
  m->current = NOBODY;
}

// An activity that is cancelled does not begin to wait.
bool ends_here(State *m, int a) {
  if (!cancelled(m, a))
    return false;
  m->act[a].out = (Exit){ .how = CANCELS };
  return true;
}

void wake_value(State *m, int a, int16_t value) {
  make_ready(m, a, R_VALUE);
  m->act[a].value = value;
  if (m->act[a].arm)
    arm_wins(m, a);
}

void wake_error(State *m, int a, Error e) {
  make_ready(m, a, R_ERROR);
  m->act[a].error = e;
  if (m->act[a].arm)
    arm_wins(m, a);
}

// not_of: a race whose arms do not count.
int first_waiter(const State *m, Wait kind, int object, int not_of) {
  int first = NOBODY;
  for (int i = 0; i < m->acts; i++) {
    const Act *t = &m->act[i];
    if (t->life != BLOCKED || t->wait != kind || t->object != object)
      continue;
    if (t->arm && not_of != NOBODY && m->node[t->node].parent == not_of)
      continue;
    if (first == NOBODY || t->stamp < m->act[first].stamp)
      first = i;
  }
  return first;
}

// These go to the end of the queue, in the order in which they blocked.
void release(State *m, const bool *which) {
  bool done[MAX_ACTS] = { false };
  for (;;) {
    int next = NOBODY;
    for (int i = 0; i < m->acts; i++)
      if (which[i] && !done[i] && (next == NOBODY || m->act[i].stamp < m->act[next].stamp))
        next = i;
    if (next == NOBODY)
      return;
    done[next] = true;
    m->act[next].life = READY;
    m->act[next].wait = W_NONE;
    m->act[next].until = (int16_t)++m->stamp;
  }
}

// ---- errors and the trace ----
Error error_of(int code) {
  return (Error){ .code = (int16_t)code };
}

Error join_errors(Error a, Error b) {
  if (!a.code)
    return b;
  if (!b.code)
    return a;
  a.more = (uint8_t)(a.more + b.more + 1);
  a.in_cancel = a.in_cancel && b.in_cancel;
  return a;
}

void throw_error(State *m, int a, Error e) {
  m->act[a].out = (Exit){ .how = THROWS, .error = e };
}

void print(State *m, int place, int value) {
  if (m->traced == MAX_TRACE) {
    fail_machine(TOO_LARGE, "the trace is too long");
    return;
  }
  m->trace[m->traced].place = (int16_t)place;
  m->trace[m->traced].value = (int16_t)value;
  m->traced++;
  machine.traced = m->traced;
}

// What programs see of an error. One that two activities have got at once hangs on no other, so the
// number of those that hang on it is left out where tasks are shared.
int codes(Error e) {
  return wrap(e.code + (machine.shares ? 0 : 100 * e.more));
}

// The domain's handler of errors that no activity gets.
void handler(State *m, Error e) {
  print(m, PLACE_UNWANTED, codes(e));
}

// ---- which rule applies ----
#define STATEMENTS(X)                                                                             \
  X(PRINT, Print) X(SET, Set) X(SETG, Set_Global) X(SETREF, Set_Ref) X(BLOCK, Block) X(IF, If)    \
  X(LOOP, Loop) X(BREAK, Break) X(RETURN, Return) X(CALL, Call) X(CALLREF, Call_Ref) X(SUM, Sum)  \
  X(TAIL, Tail_Call) X(TAILREF, Tail_Ref)                                                         \
  X(SPAWN, Spawn) X(DROP, Spawn_Dropped) X(AWAIT, Await) X(SHARE, Share)                          \
  X(GIVEUP, Give_Up) X(ACTIVATE, Activate) X(YIELD, Yield) X(CHECKPOINT, Checkpoint)              \
  X(SLEEP, Sleep) X(JOB, Job) X(AWAITJOB, Await_Job) X(SPAWNJOB, Spawn_Job) X(ATOMIC, Atomic)     \
  X(ATOMICX, Atomic_Call) X(THROW, Throw) X(RETHROW, Rethrow) X(TRY, Try) X(DEFER, Defer)         \
  X(SCOPE, Scope) X(SHIELD, Shield) X(ID, Identity) X(SELF, Self) X(CANCEL, Cancel)               \
  X(AFTER, Cancel_After) X(PAUSE, Pause) X(RESUME, Resume) X(JOIN, Join) X(RACE, Race)            \
  X(SEND, Send) X(RECV, Recv) X(CLOSE, Close) X(ACQUIRE, Acquire) X(POST, Post)                   \
  X(DIRECT, Direct) X(COMPLETE, Complete) X(FAIL, Fail)
#define DECLARE(kind, name) RULE(name);
STATEMENTS(DECLARE)

#define FRAMES(X)                                                                                 \
  X(K_LOOP, Loop_Turn) X(K_CALL, Call_End) X(K_SUM, Sum_Next) X(K_TRY, Try_End)                   \
  X(K_CATCH, Catch_End) X(K_FINALLY, Finally) X(K_DEFER, Defer_Runs) X(K_CLEANUP, Cleanup_End)    \
  X(K_SCOPE, Scope_End) X(K_WAITS, Scope_Outcome) X(K_SHIELD, Shield_End)     \
  X(K_ATOMIC, Atomic_End) X(K_AWAITED, Call_Awaited) X(K_RACE, Race_Next) X(K_ARM, Arm_End)       \
  X(K_GROUP, Sharing_End) X(K_OP, Wait_Ends) X(K_LATER, Await_Later)                              \
  X(K_ROOT, Root_End) X(K_SPAWNED, Spawn_Value) X(K_INSIDE, Spawn_In)                             \
  X(K_EACH, Each_End)
FRAMES(DECLARE)
RULE(Wait_Reached);
RULE(Run);
RULE(Set_Aside);
RULE(Time);
RULE(Waits_For_Ever);
RULE(Deadlock);
RULE(Body_End);
RULE(Slice);
RULE(Domain_End);

// The statement is an operation that may wait.
static bool is_operation(const Node *n) {
  switch (n->kind) {
  case SLEEP:
  case CHECKPOINT:
  case JOIN:
  case SEND:
  case RECV:
  case ACQUIRE:
  case DIRECT:
    return true;
  default:
    return false;
  }
}

void execute(State *m, int a, const Node *n) {
  if (is_operation(n) && in_own_scope(m, a)) {
    APPLY(Wait_Reached);
    return;
  }
  m->act[a].waited |= is_operation(n) && !in_atomic(m, a);
  switch (n->kind) {
#define EXECUTE(kind, name) \
  case kind:                \
    APPLY(name);            \
    break;
    STATEMENTS(EXECUTE)
  case NONE:
    break;
  default:
    fail_machine(BROKEN, "no statement");
  }
}

// The statement that the topmost frame waited for has ended, in one way or another.
void leave_frame(State *m, int a) {
  Frame *k = top(m, a);
  const Node *n = k->node >= 0 ? node_at(k->node) : NULL;
  switch ((Op)k->op) {
    FRAMES(EXECUTE)
  case K_SEQ:
    pop(m, a);
  }
}

// A block goes on with its next statement; other statements end.
static bool next_statement(State *m, int a) {
  Frame *k = top(m, a);
  const Node *n = node_at(k->node);
  if (m->act[a].out.how != GOES)
    return false;
  if (n->kind != BLOCK) {
    if (k->x++)
      return false;
    execute(m, a, n);
    return true;
  }
  if (k->x == n->parts)
    return false;
  execute(m, a, n->part[k->x++]);
  return true;
}

static void step(State *m) {
  int a = m->current;
  const Node *n = NULL;
  Act *t = &m->act[a];
  t->sliced = false;
  if (!t->depth)
    APPLY(Body_End);
  else if (top(m, a)->op != K_SEQ || !next_statement(m, a))
    leave_frame(m, a);
}

// ---- automatic yields ----
bool calls(const Node *e) {
  if (e->kind == NOW || e->kind == ALIVE || e->kind == ADD || e->kind == SUB) // wrap(…)
    return true;
  for (int i = 0; i < e->parts; i++)
    if (calls(e->part[i]))
      return true;
  return false;
}

// A full expression of the statement calls a function.
static bool has_call(const Node *n) {
  switch (n->kind) {
  case SET:
  case SETG:
  case SETREF:
  case RETURN:
    return calls(n->part[0]);
  case IF:
    return calls(n->part[0]);
  case BLOCK:
  case LOOP:
  case BREAK:
  case TRY:
  case SCOPE:
  case SHIELD:
  case ATOMIC:
  case DEFER:
  case NONE:
    return false;
  default:
    return true;
  }
}

static const Node *next_of(const State *m, int a) {
  const Act *t = &m->act[a];
  const Frame *k = &t->stack[t->depth - 1];
  if (!t->depth || k->op != K_SEQ)
    return NULL;
  const Node *n = node_at(k->node);
  if (n->kind != BLOCK)
    return k->x ? NULL : n;
  return k->x < n->parts ? n->part[k->x] : NULL;
}

static bool another_ready(const State *m) {
  for (int i = 0; i < m->acts; i++)
    if (m->act[i].life == READY && m->act[i].set == m->sets && !m->act[i].delayed)
      return true;
  return false;
}

static bool may_slice(State *m, int a) {
  Act *t = &m->act[a];
  const Node *n;
  if (!machine.tick || t->sliced || in_atomic(m, a))
    return false;
  if (t->depth && top(m, a)->op == K_SPAWNED)
    return false;
  // if nothing else is ready, a paused activity is set aside, and an arm may win
  if (!another_ready(m) && !m->starters && !node_held(m, t->inner) && !t->arm)
    return false;
  n = next_of(m, a);
  return t->sliceable || (n && t->out.how == GOES && has_call(n));
}

// ---- choices ----
static int ready_list(const State *m, int *list) {
  int n = 0;
  for (int i = 0; i < m->acts; i++)
    if (m->act[i].life == READY && m->act[i].set == m->sets && !m->act[i].delayed)
      list[n++] = i;
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && m->act[list[j]].until < m->act[list[j - 1]].until; j--) {
      int was = list[j];
      list[j] = list[j - 1];
      list[j - 1] = was;
    }
  return n;
}

static void take(State *m, int a) {
  const Node *n = NULL;
  if (node_held(m, m->act[a].inner) && !m->sets)
    APPLY(Set_Aside);
  else
    APPLY(Run);
}

static bool timer_pends(const State *m) {
  for (int i = 0; i < m->acts; i++)
    if (m->act[i].life == BLOCKED && m->act[i].wait == W_SLEEP && m->act[i].set == m->sets)
      return true;
  for (int i = 0; i < m->afters; i++)
    if (deadline_counts(m, i))
      return true;
  return false;
}

static bool completion_pends(const State *m) {
  for (int i = 0; i < m->acts; i++)
    if (m->act[i].life == BLOCKED && m->act[i].wait == W_DIRECT && m->act[i].set == m->sets)
      return true;
  return false;
}

static bool unmarked_root(const State *m) {
  for (int i = 1; m->ending && i < m->acts; i++)
    if (m->node[m->act[i].node].parent == HOST && m->act[i].life != ENDED &&
        !m->node[m->act[i].node].aimed)
      return true;
  return false;
}

// The error of a task whose parent waits for ever, although the domain ends. Fermata reports it.
static bool error_is_stuck(const State *m) {
  for (int i = 0; i < m->acts; i++) {
    const Act *t = &m->act[i];
    const Tree *node = &m->node[t->node];
    if (t->life == ENDED && t->result == THROWS && !t->seen && !node->gone &&
        !m->node[node->parent].ended)
      return true;
  }
  return false;
}

static void idle(State *m) {
  int a = NOBODY;
  const Node *n = NULL;
  if (!m->sets && unmarked_root(m))
    APPLY(Domain_End);
  else if (timer_pends(m))
    APPLY(Time);
  else if (completion_pends(m))
    APPLY(Waits_For_Ever);
  else if (m->ending && !m->sets && error_is_stuck(m))
    fail_machine(TOO_LARGE, "an error that has no reader at the end of the domain");
  else if (m->ending && !m->sets)
    m->over = true;
  else
    APPLY(Deadlock);
}

static void end_domain(State *m) {
  int a = NOBODY;
  const Node *n = NULL;
  APPLY(Domain_End);
}

// An activity that was started by `spawn now` has paused: its starter goes on, unless the pause is
// inside an atomic.
static bool starter_goes_on(State *m) {
  if (!m->starters || m->starter[m->starters - 1].set != m->sets)
    return false;
  m->starters--;
  m->current = m->starter[m->starters].act;
  m->act[m->current].life = RUNS;
  return true;
}

int machine_advance(State *m, bool all) {
  int list[MAX_ACTS];
  for (int steps = 0; !machine.trouble && !m->over; steps++) {
    if (steps > 20000)
      fail_machine(TOO_LARGE, "too many steps");
    check_state(m);
    if (m->current == NOBODY && starter_goes_on(m))
      continue;
    if (m->current == NOBODY) {
      int n = ready_list(m, list);
      if (m->stamp > 8000)
        fail_machine(TOO_LARGE, "too many steps");
      if (m->act[0].life == ENDED && !m->ending) {
        end_domain(m);
        continue;
      }
      if (n > 1 && all)
        return n;
      if (n)
        take(m, list[0]);
      else
        idle(m);
      continue;
    }
    if (all && may_slice(m, m->current))
      return may_have_waited(m, m->current) ? 3 : 2;
    step(m);
  }
  return 0;
}

void machine_choose(State *m, int which) {
  int list[MAX_ACTS];
  int a = m->current;
  const Node *n = NULL;
  if (a == NOBODY) {
    ready_list(m, list);
    take(m, list[which]);
  } else if (which) {
    m->act[a].waited |= which > 1;
    APPLY(Slice);
  } else {
    m->act[a].sliced = true;
    m->act[a].sliceable = false;
    step(m);
  }
}

// ---- the beginning ----
void machine_start(State *m, const Program *p) {
  memset(m, 0, sizeof *m);
  machine.program = p;
  machine.trouble = FINE;
  machine.traced = 0;
  machine.shares = core_has(p->tree, SHARE);
  machine.rule = "";
  m->node[HOST] = (Tree){ .kind = N_HOST, .owner = NOBODY };
  m->nodes = 1;
  for (int i = 0; i < CHANS; i++)
    m->chan[i].cap = (uint8_t)p->tree->at[i];
  for (int i = 0; i < SEMS; i++)
    m->sem[i] = (int16_t)p->tree->at[CHANS + i];
  for (int i = 0; i < TASKS; i++)
    m->task[i] = NOBODY;
  for (int i = 0; i < NODES; i++)
    m->identity[i] = NOBODY;
  for (int i = 0; i < JOBS; i++)
    m->job[i].function = NOBODY;
  m->current = NOBODY;
  int root = act_new(m, HOST);
  m->act[root].env = (int8_t)env_new(m);
  m->act[root].until = (int16_t)++m->stamp;
  push(m, root, K_ROOT, NULL);
}

// ---- states as keys ----
static uint64_t mix(uint64_t h, uint64_t v) {
  h ^= v + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
  h *= 0xff51afd7ed558ccdu;
  return h ^ h >> 32;
}

static uint64_t mix_bytes(uint64_t h, const void *p, size_t size) {
  const unsigned char *b = p;
  for (; size >= 8; size -= 8, b += 8) {
    uint64_t v;
    memcpy(&v, b, 8);
    h = mix(h, v);
  }
  while (size--)
    h = mix(h, *b++);
  return h;
}

static uint16_t rank_of(const State *m, uint16_t stamp) {
  uint16_t rank = 0;
  for (int i = 0; i < m->acts; i++) {
    rank += m->act[i].stamp < stamp;
    rank += m->act[i].life == READY && (uint16_t)m->act[i].until < stamp;
  }
  return rank;
}

static uint16_t rank_among_siblings(const State *m, const Tree *t) {
  uint16_t rank = 0;
  for (int i = 1; i < m->nodes; i++)
    rank += m->node[i].parent == t->parent && !m->node[i].gone && m->node[i].place < t->place;
  return rank;
}

uint64_t machine_hash(const State *m) {
  uint64_t h = 1;
  for (int i = 0; i < m->acts; i++) {
    Act t = m->act[i];
    size_t size = offsetof(Act, stack) + sizeof(Frame) * t.depth;
    if (t.life == READY)
      t.until = (int16_t)rank_of(m, (uint16_t)t.until);
    t.stamp = t.life == ENDED ? 0 : rank_of(m, t.stamp);
    h = mix_bytes(h, &t, size);
  }
  for (int i = 0; i < m->nodes; i++) {
    Tree t = m->node[i];
    t.place = t.gone ? 0 : rank_among_siblings(m, &t);
    h = mix_bytes(h, &t, sizeof t);
  }
  h = mix_bytes(h, m->env, offsetof(State, stamp) - offsetof(State, env));
  h = mix(h, (uint64_t)m->time);
  return mix_bytes(h, m->trace, sizeof m->trace[0] * (size_t)m->traced);
}
