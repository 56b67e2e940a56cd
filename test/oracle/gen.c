// gen.c: random programs of the core language. They are valid Fermata: errors are caught or
// declared, no jump leaves a cleanup, and functions call only later ones, so that every program
// ends. Each program uses some groups of constructs, so that these meet often.
#include "core.h"

#include <stdbool.h>
#include <stdint.h>

enum { NOT_COPIED = -1 };
// clang-format off
enum {
  G_CHAN = 1, G_SEM = 2, G_ATOMIC = 4, G_ERROR = 8, G_SCOPE = 16, G_CANCEL = 32, G_PAUSE = 64,
  G_RACE = 128, G_JOB = 256, G_DETACHED = 512, G_ACTIVATE = 1024, G_DIRECT = 2048,
  G_REF = 4096, G_SHIELD = 8192, G_SHARE = 16384, G_NOW = 32768, GROUPS = 65536
};
// clang-format on

typedef struct Gen {
  uint64_t random;
  int groups;
  int favour[3]; // groups that are used more often
  int functions;
  int throws, atomics, refs; // sets of functions
  int simple;  // functions without race, activate and scope
  bool inside; // code in an atomic calls other functions, too, and awaits jobs
  bool scopes; // and it has scopes of its own
  int place;
  int budget;
} Gen;

// Where a statement stands.
typedef struct Place {
  int f;
  bool throws;  // errors are caught or declared
  bool scope;   // a scope of this function is around it, and errors may leave it
  bool loop, catches, cleanup, activate, atomic;
  bool whole; // the whole function is atomic: it is a plain function
  int depth;
} Place;

static int any(Gen *g, int n) {
  g->random ^= g->random << 13;
  g->random ^= g->random >> 7;
  g->random ^= g->random << 17;
  return (int)(g->random % (uint64_t)n);
}

static bool maybe(Gen *g, int percent) {
  return any(g, 100) < percent;
}

static bool uses(const Gen *g, int group) {
  return g->groups & group;
}

// ---- expressions ----
static Node *constant(Gen *g) {
  return core_node(INT, any(g, 10));
}

static Node *expression(Gen *g, const Place *p) {
  switch (any(g, 9)) {
  case 0:
  case 1:
    return constant(g);
  case 2:
  case 3:
    return core_node(VAR, any(g, VARS));
  case 4:
    return core_node(GLOBAL, any(g, GLOBALS));
  case 5:
    if (g->refs >> p->f & 1 && !p->activate)
      return core_node(REF);
    return core_node(VAR, 0);
  case 6:
    if (maybe(g, 20))
      return core_node(NOW);
    return core_node(LESS, core_node(VAR, any(g, VARS)), constant(g));
  case 7:
    return core_node(SUB, core_node(VAR, any(g, VARS)), constant(g));
  default:
    return core_node(ADD, core_node(VAR, any(g, VARS)), core_node(GLOBAL, any(g, GLOBALS)));
  }
}

static Node *print(Gen *g, const Place *p) {
  return core_node(PRINT, ++g->place, expression(g, p));
}

// ---- functions that can be called ----
enum { FOR_CALL, FOR_SPAWN };

// Code of this function may run in an atomic, in which others than simple functions run as
// activities.
static bool only_simple(const Gen *g, const Place *p) {
  return !g->inside && (p->atomic || g->simple >> p->f & 1);
}

static bool fits(const Gen *g, const Place *p, int f, int use, bool throws) {
  if (only_simple(g, p) && !(g->simple >> f & 1))
    return false;
  if (g->throws >> f & 1 && !throws)
    return false;
  return !(g->refs >> f & 1) && (use == FOR_CALL || !(g->atomics >> f & 1));
}

// A later function; 0: there is none.
static int callee(Gen *g, const Place *p, int use, bool throws) {
  int found = 0;
  int n = 0;
  for (int f = p->f + 1; f < g->functions; f++)
    if (fits(g, p, f, use, throws) && any(g, ++n) == 0)
      found = f;
  return found;
}

static int callee_ref(Gen *g, const Place *p) {
  int found = 0;
  int n = 0;
  for (int f = p->f + 1; f < g->functions; f++)
    if (g->refs >> f & 1 && (!only_simple(g, p) || g->simple >> f & 1) &&
        (p->throws || !(g->throws >> f & 1)) && any(g, ++n) == 0)
      found = f;
  return found;
}

// ---- statements ----
static Node *statement(Gen *g, const Place *p);

// What a statement has done is often printed.
static void add(Gen *g, Node *list, const Place *p) {
  core_add(list, statement(g, p));
  if (maybe(g, 35))
    core_add(list, print(g, p));
}

static Node *block(Gen *g, const Place *outer, int most) {
  Place p = *outer;
  Node *b = core_node(BLOCK);
  p.depth++;
  for (int n = 1 + any(g, most); n > 0 && g->budget > 0; n--)
    add(g, b, &p);
  if (!b->parts)
    core_add(b, print(g, &p));
  return b;
}

static Node *none(void) {
  return core_node(NONE);
}

static Node *optional(Gen *g, const Place *p, int percent) {
  return maybe(g, percent) ? block(g, p, 2) : none();
}

static int variable(Gen *g) {
  return 1 + any(g, VARS - 1);
}

static int a_task(Gen *g, const Place *p) {
  return p->activate ? LOCAL_TASKS + any(g, TASKS - LOCAL_TASKS) : any(g, TASKS);
}

static Node *try(Gen *g, const Place *p);

static Node *plain(Gen *g, const Place *p) {
  switch (any(g, 8)) {
  case 0:
    return core_node(SET, variable(g), expression(g, p));
  case 1:
    return core_node(SETG, any(g, GLOBALS), expression(g, p));
  case 2:
    if (g->refs >> p->f & 1 && !p->activate)
      return core_node(SETREF, expression(g, p));
    return core_node(SETG, any(g, GLOBALS), expression(g, p));
  default:
    return print(g, p);
  }
}

static Node *control(Gen *g, const Place *p) {
  Place q = *p;
  switch (any(g, 6)) {
  case 0:
  case 1: {
    Node *e = expression(g, p);
    Node *then = block(g, p, 2);
    return core_node(IF, e, then, optional(g, p, 50));
  }
  case 2:
    q.loop = true;
    return core_node(LOOP, 1 + any(g, 3), block(g, &q, 2));
  case 3:
  case 5:
    if (p->loop)
      return core_node(IF, expression(g, p), core_node(BREAK), none());
    return print(g, p);
  case 4:
    if (!p->cleanup && !p->activate && maybe(g, 50))
      return core_node(IF, expression(g, p), core_node(RETURN, expression(g, p)), none());
    return print(g, p);
  default:
    return block(g, p, 3);
  }
}

static Node *tail(Gen *g, const Place *p) {
  int r = uses(g, G_REF) && !p->cleanup && !p->activate && !p->whole ? callee_ref(g, p) : 0;
  if (r && maybe(g, 60))
    return core_node(TAILREF, r, variable(g), expression(g, p));
  int f = p->cleanup || p->activate ? 0 : callee(g, p, FOR_CALL, p->throws);
  if (!f)
    return core_node(YIELD);
  if (maybe(g, 50))
    return core_node(IF, expression(g, p), core_node(TAIL, f, expression(g, p)), none());
  return core_node(TAIL, f, expression(g, p));
}

static Node *calls(Gen *g, const Place *p) {
  int f = callee(g, p, FOR_CALL, p->throws);
  if (!f)
    return print(g, p);
  switch (any(g, 8)) {
  case 0: {
    // functions that pause: they come first, from left to right
    int h = callee(g, p, FOR_SPAWN, p->throws);
    if (!h || !(f = callee(g, p, FOR_SPAWN, p->throws)))
      return print(g, p);
    Node *e = expression(g, p);
    Node *e1 = expression(g, p);
    return core_node(SUM, variable(g), f, h, e, e1, expression(g, p));
  }
  case 1:
    return tail(g, p);
  case 2:
    if (uses(g, G_REF) && !p->activate && (f = callee_ref(g, p)))
      return core_node(CALLREF, variable(g), f, variable(g), expression(g, p));
    return print(g, p);
  case 3:
    if (uses(g, G_ATOMIC) && (g->inside || g->simple >> f & 1))
      return core_node(ATOMICX, variable(g), f, expression(g, p));
    return core_node(CALL, variable(g), f, expression(g, p));
  default:
    return core_node(CALL, variable(g), f, expression(g, p));
  }
}

static int how(Gen *g) {
  if (uses(g, G_NOW) && maybe(g, 30))
    return AT_ONCE;
  if (uses(g, G_DETACHED) && maybe(g, 15))
    return DETACHED;
  if (uses(g, G_ATOMIC) && maybe(g, 20))
    return CONTAINED;
  if (uses(g, G_SCOPE) && maybe(g, 10))
    return INSIDE;
  return PLAIN;
}

// Few identities and objects are used, so that statements meet.
static int few(Gen *g, int n) {
  return maybe(g, 70) ? any(g, (n + 1) / 2) : any(g, n);
}

static Node *spawn_kept(Gen *g, const Place *p, int h, int f) {
  int t = a_task(g, p);
  Node *s = core_node(SPAWN, t, h, f, few(g, NODES), expression(g, p));
  if (!uses(g, G_CANCEL | G_PAUSE) || maybe(g, 50))
    return s;
  Node *b = core_node(BLOCK);
  core_add(b, s);
  core_add(b, core_node(ID, few(g, NODES), t));
  return b;
}

static Node *spawns(Gen *g, const Place *p) {
  int h = p->whole ? DETACHED : how(g);
  int f = callee(g, p, FOR_SPAWN, true);
  if (!f)
    return core_node(YIELD);
  if (maybe(g, 65))
    return spawn_kept(g, p, h, f);
  f = callee(g, p, FOR_SPAWN, h == DETACHED || (p->scope && h != INSIDE));
  if (!f)
    return core_node(YIELD);
  return core_node(DROP, h, f, few(g, NODES), expression(g, p));
}

static Node *tasks(Gen *g, const Place *p) {
  if (uses(g, G_SHARE) && maybe(g, 25))
    return core_node(SHARE, a_task(g, p), a_task(g, p));
  if (uses(g, G_SHARE) && maybe(g, 10))
    return core_node(GIVEUP, a_task(g, p));
  if (!p->throws)
    return try(g, p);
  return core_node(AWAIT, variable(g), a_task(g, p));
}

static Node *waits(Gen *g, const Place *p) {
  switch (any(g, 5)) {
  case 0:
    return core_node(SLEEP, core_node(INT, any(g, 6)));
  case 1:
    return core_node(SLEEP, expression(g, p));
  case 2:
    return core_node(CHECKPOINT);
  default:
    return core_node(YIELD);
  }
}

static Node *channels(Gen *g, const Place *p) {
  if (maybe(g, 6))
    return core_node(CLOSE, few(g, CHANS));
  if (!p->throws)
    return try(g, p);
  if (maybe(g, 60))
    return core_node(SEND, few(g, CHANS), expression(g, p));
  return core_node(RECV, variable(g), few(g, CHANS));
}

static Node *objects(Gen *g, const Place *p, int group) {
  if (group == G_DIRECT && p->throws && maybe(g, 35))
    return core_node(DIRECT, variable(g), maybe(g, 75)); // mostly the one that can be cancelled
  if (group == G_DIRECT)
    return core_node(maybe(g, 75) ? COMPLETE : FAIL, maybe(g, 60), expression(g, p));
  if (group == G_SEM)
    return maybe(g, 55) ? core_node(POST, few(g, SEMS)) : core_node(ACQUIRE, few(g, SEMS));
  if (group == G_CHAN)
    return channels(g, p);
  return waits(g, p);
}

// A cancel that the atomic holds back, from what it contains, too.
static Node *cancelled_inside(Gen *g, const Place *p, int f) {
  Node *b = core_node(BLOCK);
  Node *inside = core_node(BLOCK);
  int id = few(g, NODES);
  core_add(b, core_node(SELF, id));
  core_add(inside, core_node(SPAWN, LOCAL_TASKS, CONTAINED, f, 0, expression(g, p)));
  if (maybe(g, 50))
    core_add(inside, core_node(SLEEP, core_node(INT, 1)));
  core_add(inside, core_node(CANCEL, id));
  core_add(inside, maybe(g, 50) ? core_node(YIELD) : core_node(SLEEP, core_node(INT, 2)));
  core_add(inside, print(g, p));
  core_add(b, core_node(ATOMIC, inside));
  return b;
}

static Node *scope(Gen *g, const Place *p);

// A scope of the atomic, which the atomic does not hold back cancels of.
static Node *scope_inside(Gen *g, const Place *p, int f) {
  Node *b = core_node(BLOCK);
  Node *s = scope(g, p);
  Node *first = core_node(BLOCK);
  int id = s->at[0];
  if (f && maybe(g, 30))
    core_add(first, core_node(SPAWN, a_task(g, p), CONTAINED, f, 0, expression(g, p)));
  if (maybe(g, 70))
    core_add(first, core_node(AFTER, id, core_node(INT, 1 + any(g, 4))));
  core_add(first, s->part[0]);
  if (maybe(g, 20))
    core_add(first, core_node(CANCEL, id));
  s->part[0] = first;
  core_add(b, s);
  core_add(b, print(g, p));
  return core_node(ATOMIC, b);
}

static Node *atomics(Gen *g, const Place *p) {
  Place q = *p;
  int f = p->whole || p->cleanup ? 0 : callee(g, p, FOR_SPAWN, true);
  q.atomic = true;
  if (f && uses(g, G_CANCEL) && (g->inside || g->simple >> f & 1) && maybe(g, 25))
    return cancelled_inside(g, p, f);
  if (g->scopes && uses(g, G_SCOPE) && !p->whole && !(g->simple >> p->f & 1) && maybe(g, 60))
    return scope_inside(g, &q, f);
  return core_node(ATOMIC, block(g, &q, 3));
}

static Node *try(Gen *g, const Place *p) {
  Place body = *p;
  Place clause = *p;
  Place last = *p;
  bool all = maybe(g, 70);
  body.throws |= all;
  body.catches = false; // fmcc does not see that a `throw;` in there is caught
  clause.catches = true;
  last.cleanup = true;
  last.loop = last.catches = false;
  Node *b = block(g, &body, 3);
  Node *c0 = optional(g, &clause, 40);
  Node *c1 = all ? block(g, &clause, 2) : none();
  if (p->throws && all && maybe(g, 15))
    core_add(c1, core_node(RETHROW));
  bool finally = maybe(g, 40) || (!all && c0->kind == NONE);
  return core_node(TRY, variable(g), b, c0, c1, finally ? block(g, &last, 2) : none());
}

static Node *errors(Gen *g, const Place *p) {
  Place q = *p;
  int what = any(g, 10);
  if (what < 3)
    return try(g, p);
  if (what < 5) {
    q.cleanup = true;
    q.loop = q.catches = false;
    return core_node(DEFER, block(g, &q, 2));
  }
  if (p->catches && p->throws && maybe(g, 30))
    return core_node(RETHROW);
  if (!p->throws)
    return try(g, p);
  Node *t = core_node(THROW, any(g, 2), expression(g, p));
  return maybe(g, 70) ? core_node(IF, expression(g, p), t, none()) : t;
}

// The clause `catch each`: it is in an activity of its own, as the body of an activate.
static Node *clause(Gen *g, const Place *p) {
  Place q = *p;
  q.activate = q.catches = true;
  q.scope = q.loop = q.cleanup = false;
  return block(g, &q, 2);
}

static Node *scope(Gen *g, const Place *p) {
  Place q = *p;
  bool each = maybe(g, 40);
  bool all = maybe(g, 70);
  q.scope = p->throws || (each && all);
  Node *b = block(g, &q, 4);
  Node *other = optional(g, p, 60);
  return core_node(SCOPE, few(g, NODES), variable(g), all, b, other,
                   each ? clause(g, p) : none());
}

static Node *tree(Gen *g, const Place *p) {
  int what = any(g, 12);
  if (what < 1)
    return core_node(ID, few(g, NODES), a_task(g, p));
  if (what == 1)
    return core_node(SELF, few(g, NODES));
  if (uses(g, G_PAUSE) && what < 6)
    return core_node(maybe(g, 40) ? PAUSE : RESUME, few(g, NODES));
  if (what == 8)
    return core_node(JOIN, few(g, NODES));
  if (uses(g, G_CANCEL) && what == 9)
    return core_node(AFTER, few(g, NODES), core_node(INT, any(g, 5)));
  if (uses(g, G_CANCEL))
    return core_node(CANCEL, few(g, NODES));
  return waits(g, p);
}

static Node *arm(Gen *g, const Place *p) {
  Place q = *p;
  int kind = any(g, 6);
  int object = 0;
  q.loop = false;
  if (!p->throws && (kind == ARM_RECV || kind == ARM_SEND || kind == ARM_AWAIT))
    kind = ARM_SLEEP;
  if (kind == ARM_CALL && !(object = callee(g, p, FOR_SPAWN, p->throws)))
    kind = ARM_SLEEP;
  if (kind == ARM_RECV || kind == ARM_SEND)
    object = few(g, CHANS);
  if (kind == ARM_AWAIT)
    object = a_task(g, p);
  if (kind == ARM_ACQUIRE)
    object = few(g, SEMS);
  Node *guard = maybe(g, 75) ? core_node(INT, 1) : expression(g, p);
  Node *argument = kind == ARM_SLEEP ? core_node(INT, 1 + any(g, 5)) : expression(g, p);
  return core_node(ARM, kind, variable(g), object, guard, argument, block(g, &q, 2));
}

static Node *race(Gen *g, const Place *p) {
  Node *r = core_node(RACE);
  Place q = *p;
  q.loop = false;
  for (int n = 1 + any(g, 3); n > 0; n--)
    core_add(r, arm(g, p));
  if (maybe(g, 25))
    core_add(r, core_node(DEFAULT, block(g, &q, 2)));
  return r;
}

// An atomic runs a job: an activity that it contains.
static Node *job_inside(Gen *g, const Place *p, int f) {
  Node *b = core_node(BLOCK);
  int job = few(g, JOBS);
  core_add(b, core_node(JOB, job, f, expression(g, p)));
  core_add(b, core_node(ATOMIC, core_node(AWAITJOB, variable(g), job, p->f)));
  return b;
}

static Node *jobs(Gen *g, const Place *p) {
  if (only_simple(g, p)) // the job may be of a function that is not
    return print(g, p);
  int f = callee(g, p, FOR_SPAWN, true);
  if (g->inside && f && p->throws && uses(g, G_ATOMIC) && maybe(g, 30))
    return job_inside(g, p, f);
  if (f && maybe(g, 50))
    return core_node(JOB, few(g, JOBS), f, expression(g, p));
  if (!p->whole && (maybe(g, 50) || !p->throws))
    return core_node(SPAWNJOB, a_task(g, p), few(g, JOBS), p->f);
  if (!p->throws)
    return print(g, p);
  return core_node(AWAITJOB, variable(g), few(g, JOBS), p->f);
}

// ---- what random statements seldom do together ----
static Node *caught(Gen *g, const Place *p, Node *s) {
  Node *b = core_node(BLOCK);
  core_add(b, s);
  Node *clause = core_node(BLOCK);
  core_add(clause, print(g, p));
  return core_node(TRY, variable(g), b, none(), clause, none());
}

static Node *activity(Gen *g, const Place *p, int id, Node *first, Node *second) {
  Node *b = core_node(BLOCK);
  core_add(b, first);
  if (second)
    core_add(b, second);
  core_add(b, print(g, p));
  return core_node(ACTIVATE, id, NOT_COPIED, b);
}

static Node *sleep_some(Gen *g, int least, int more) {
  return core_node(SLEEP, core_node(INT, least + any(g, more)));
}

// Two await one task, or wait for its end; one of them may be cancelled.
static void two_waiters(Gen *g, const Place *p, Node *b, int f) {
  int t = LOCAL_TASKS;
  bool join = maybe(g, 40);
  core_add(b, core_node(SPAWN, t, PLAIN, f, 0, expression(g, p)));
  core_add(b, core_node(ID, 2, t));
  if (!join && maybe(g, 70))
    core_add(b, core_node(SHARE, t + 1, t));
  for (int i = 0; i < 2; i++) {
    Node *wait = join ? core_node(JOIN, 2)
                      : caught(g, p, core_node(AWAIT, variable(g), t + i));
    core_add(b, activity(g, p, i, wait, NULL));
  }
  core_add(b, maybe(g, 60) ? core_node(YIELD) : sleep_some(g, 0, 4));
  if (maybe(g, 60))
    core_add(b, core_node(CANCEL, any(g, 2)));
}

// A pause inside a pause: the end of the outer one leaves the inner one.
static void two_pauses(Gen *g, const Place *p, Node *b, int f) {
  int t = LOCAL_TASKS;
  Node *body = core_node(BLOCK);
  core_add(body, core_node(SPAWN, t, PLAIN, f, 0, expression(g, p)));
  core_add(body, core_node(ID, 2, t));
  core_add(body, maybe(g, 50) ? core_node(YIELD) : print(g, p));
  core_add(body, core_node(PAUSE, 2));
  core_add(body, core_node(PAUSE, 1));
  core_add(body, core_node(YIELD));
  core_add(body, print(g, p));
  Node *resume = core_node(BLOCK);
  core_add(resume, core_node(RESUME, 1));
  core_add(resume, print(g, p));
  core_add(resume, sleep_some(g, 1, 4));
  core_add(resume, core_node(RESUME, 2));
  core_add(b, activity(g, p, 0, sleep_some(g, 1, 6), resume));
  core_add(b, core_node(SCOPE, 1, 1, 1, body, none(), none()));
}

static Node *together(Gen *g, const Place *p) {
  Node *b = core_node(BLOCK);
  int f = callee(g, p, FOR_SPAWN, true);
  int what = any(g, 5);
  if (what < 2 && f)
    two_waiters(g, p, b, f);
  else if (what == 2 && f)
    two_pauses(g, p, b, f);
  else // it is still at work when the function is left
    core_add(b, activity(g, p, few(g, NODES), sleep_some(g, 1, 20),
                         core_node(SET, variable(g), expression(g, p))));
  core_add(b, print(g, p));
  return b;
}

static Node *activate(Gen *g, const Place *p) {
  Place q = *p;
  if (p->activate || (p->atomic && !g->inside))
    return core_node(YIELD);
  if (maybe(g, 40))
    return together(g, p);
  q.activate = true;
  q.throws = p->scope;
  q.scope = q.loop = q.catches = q.cleanup = false;
  int copied = any(g, VARS + 1) - 1;
  return core_node(ACTIVATE, few(g, NODES), copied, block(g, &q, 3));
}

static Node *shield(Gen *g, const Place *p) {
  return core_node(SHIELD, block(g, p, 3));
}

static Node *by_group(Gen *g, const Place *p) {
  for (int tries = 0; tries < 12; tries++) {
    int group = 1 << any(g, 14);
    if (maybe(g, 65))
      group = g->favour[any(g, 3)];
    if (!uses(g, group))
      continue;
    if (p->whole && group & (G_SCOPE | G_RACE | G_ACTIVATE | G_SHIELD))
      continue;
    if (g->simple >> p->f & 1 && group & (G_RACE | G_ACTIVATE | G_SCOPE))
      continue;
    if (p->atomic && !g->scopes && group == G_SCOPE)
      continue;
    switch (group) {
    case G_ATOMIC:
      return atomics(g, p);
    case G_ERROR:
      return errors(g, p);
    case G_SCOPE:
      return scope(g, p);
    case G_CANCEL:
    case G_PAUSE:
      return tree(g, p);
    case G_RACE:
      return race(g, p);
    case G_JOB:
      return jobs(g, p);
    case G_ACTIVATE:
      return activate(g, p);
    case G_SHIELD:
      return shield(g, p);
    default:
      return objects(g, p, group);
    }
  }
  return waits(g, p);
}

static Node *statement(Gen *g, const Place *p) {
  int what = any(g, 100);
  g->budget--;
  if (p->depth > 5)
    return plain(g, p);
  if (what < 6)
    return plain(g, p);
  if (what < 11)
    return control(g, p);
  if (what < 20)
    return calls(g, p);
  if (what < 38)
    return spawns(g, p);
  if (what < 45)
    return tasks(g, p);
  if (what < 50)
    return waits(g, p);
  return by_group(g, p);
}

// ---- programs ----
// What waits in vain is cancelled.
static Node *with_deadline(Gen *g, const Place *outer) {
  Place p = *outer;
  int id = NODES - 1;
  Node *b = core_node(BLOCK);
  p.scope = true;
  p.depth++;
  core_add(b, core_node(AFTER, id, core_node(INT, 10 + any(g, 10))));
  while (g->budget > 2)
    add(g, b, &p);
  Node *other = optional(g, outer, 80);
  return core_node(SCOPE, id, variable(g), 1, b, other,
                   maybe(g, 25) ? clause(g, outer) : none());
}

// A function that seldom pauses, and has nothing before its return where its slice could end: the
// slice ends after a call of it.
static Node *short_function(Gen *g, int f) {
  Node *b = core_node(BLOCK);
  Node *few_values = core_node(LESS, core_node(VAR, 0), core_node(INT, any(g, 4)));
  core_add(b, core_node(IF, few_values, core_node(YIELD), none()));
  Node *value = maybe(g, 70) ? core_node(VAR, 0)
                             : core_node(LESS, core_node(VAR, 0), core_node(INT, 2 + any(g, 7)));
  core_add(b, core_node(RETURN, value));
  return core_node(FUN, g->throws >> f & 1, 0, g->refs >> f & 1, b);
}

static Node *function(Gen *g, int f, int budget) {
  Place p = { .f = f, .throws = g->throws >> f & 1, .atomic = g->atomics >> f & 1 };
  p.whole = p.atomic;
  g->budget = budget;
  Node *b = core_node(BLOCK);
  core_add(b, print(g, &p));
  if (!f && maybe(g, 60))
    core_add(b, with_deadline(g, &p));
  while (g->budget > 0)
    add(g, b, &p);
  core_add(b, core_node(RETURN, expression(g, &p)));
  return core_node(FUN, g->throws >> f & 1, g->atomics >> f & 1, g->refs >> f & 1, b);
}

// The rest of the program runs in an atomic.
static Node *whole(Gen *g) {
  Node *b = core_node(BLOCK);
  core_add(b, core_node(ATOMICX, 1, 1, core_node(INT, any(g, 5))));
  core_add(b, core_node(RETURN, core_node(VAR, 1)));
  return core_node(FUN, 1, 0, 0, b);
}

Node *gen_program(unsigned long long seed) {
  static const int some[] = { G_CHAN, G_CHAN, G_SEM,  G_ATOMIC,   G_ERROR,  G_ERROR, G_SCOPE,
                              G_CANCEL, G_PAUSE, G_RACE, G_ACTIVATE, G_DIRECT, G_SHIELD };
  Gen g = { .random = seed * 0x9e3779b97f4a7c15u + 0x1234567, .inside = seed % 3 == 0,
            .scopes = seed % 6 == 3 };
  for (int i = 0; i < 8; i++)
    any(&g, 2);
  int permits = any(&g, 3);
  Node *program = core_node(PROGRAM, any(&g, 3), any(&g, 2), 1 + any(&g, 2), permits, any(&g, 2));
  g.functions = 3 + any(&g, 4);
  g.groups = any(&g, GROUPS) | (maybe(&g, 20) ? GROUPS - 1 : 0);
  for (int i = 0; i < 3; i++) {
    g.favour[i] = some[any(&g, (int)(sizeof some / sizeof *some))];
    g.groups |= g.favour[i];
  }
  if (g.scopes) {
    g.favour[0] = G_ATOMIC;
    g.groups |= G_ATOMIC | G_SCOPE | G_CANCEL;
  }
  g.throws = 1;
  for (int f = 1; f < g.functions; f++) {
    g.throws |= maybe(&g, 80) << f;
    if (maybe(&g, 50))
      g.simple |= 1 << f;
    if (uses(&g, G_ATOMIC) && maybe(&g, 15)) {
      g.atomics |= 1 << f;
      g.simple |= 1 << f;
    }
    if (uses(&g, G_REF) && maybe(&g, 30) && !(g.atomics >> f & 1))
      g.refs |= 1 << f;
  }
  int size = 5 + any(&g, 14);
  bool all_atomic = (g.inside || g.simple & 2) && !(g.atomics & 2) && !(g.refs & 2) && maybe(&g, 8);
  for (int f = 0; f < g.functions; f++)
    if (!f && all_atomic)
      core_add(program, whole(&g));
    else if (f && !(g.atomics >> f & 1) && maybe(&g, 12))
      core_add(program, short_function(&g, f));
    else
      core_add(program, function(&g, f, f ? 3 + any(&g, 9) : size));
  return program;
}
