// stress: every way in which a scope can end: cancels of its own and from above, in both orders, met and unmet; exits of the body; children that
// are cut short, end, throw, or throw while they are cut short. A model works out from the rules what must come of it: whether `else` runs, how
// the function goes on, which errors are thrown in it, and with what it ends.
//     scope-outcomes [EVERY]       of the cases with two children every so manieth
// env: FERMATA_DRIVER=virtual
// expect: all as the rules say
#include <fermata.h>
#include <fermata/time.h>
#include <stdlib.h>
#include <string.h>

enum { NEVER = 0, LAST_ACT = 100, BODY_ENDS = 100, LATE = 300, LONG = 1000, SLOW = 37 };
enum exit { END, RETURN, BREAK, GOTO, THROW, WAIT, EXITS };
enum { OF_BODY = 1, OF_CLEANUP = 2, OF_FIRST = 4, OF_SECOND = 8 };

struct bad { int who; };

typedef struct kind { int ends, throws, cleanup; bool cleanup_throws; } kind;
static const kind kinds[] = {
  { 0, 0, 0, false },                             // there is none
  { LONG, 0, 0, false }, { LONG, 0, SLOW, false },
  { 52, 0, 0, false }, { 203, 0, 0, false },
  { 0, 64, 0, false }, { 0, 155, 0, false },
  { LONG, 0, 0, true }, { LONG, 0, SLOW, true },
};
enum { KINDS = sizeof kinds / sizeof *kinds };
static const int own_times[] = { NEVER, 30, LAST_ACT, 130, 250 };
static const int outer_times[] = { NEVER, 21, 41, LAST_ACT, 121, 141, 241, 261 };

typedef struct way {
  enum exit exit;
  int own, outer;                                 // when these cancels come
  bool outer_first;                               // both are the body's last acts
  bool by_deadline;                               // the scope's own cancel
  bool from_scope;                                // the cancel from above is for a scope around, not for the activity
  bool cleanup_throws;                            // the body's, if it is cut short
  int child[2];
} way;

typedef struct outcome {
  int else_ran, went, caught, ended_with, cancelled;
} outcome;
enum { NOWHERE, ON, RETURNED, BROKE, JUMPED, CAUGHT };

// ---- the model ----
typedef struct model {
  const way *w;
  int marked, marked_by_own, marked_by_outer;     // when, and by which cancel
  int body_left, scope_ended;
  bool body_cut, child_cut, child_failed, own, outer, waited;
  int errors;
} model;

static bool is_there(int k) { return kinds[k].ends || kinds[k].throws; }
static int alone(int k) { return kinds[k].ends ? kinds[k].ends : kinds[k].throws; }

static void first_mark(model *m, int at, int own, int outer) {
  if (!at || (m->marked && m->marked <= at))
    return;
  m->marked = at;
  m->marked_by_own = own;
  m->marked_by_outer = outer;
}

static int body_time(const way *w) { return w->exit == WAIT ? LATE : BODY_ENDS; }

// What marks the scope first: a timed cancel, a child's error, or the body's last acts and its error.
static void find_mark(model *m) {
  const way *w = m->w;
  for (int i = 0; i < 2; i++)
    first_mark(m, kinds[w->child[i]].throws, 0, 0);
  if (w->own != LAST_ACT)
    first_mark(m, w->own, 1, 0);
  if (w->outer != LAST_ACT)
    first_mark(m, w->outer, 0, 1);
  m->body_cut = m->marked && m->marked < body_time(w);
  if (m->body_cut)
    return;
  bool own = w->own == LAST_ACT, outer = w->outer == LAST_ACT;
  if (own || outer)
    first_mark(m, body_time(w), own && !(outer && w->outer_first), outer && !(own && !w->outer_first));
  if (w->exit == THROW)
    first_mark(m, body_time(w), 0, 0);
}

static int child_ends(model *m, int i) {
  const kind *k = &kinds[m->w->child[i]];
  int by_itself = alone(m->w->child[i]);
  if (m->marked && m->marked < by_itself) {
    m->child_cut = true;
    m->errors |= k->cleanup_throws ? OF_FIRST << i : 0;
    return m->marked + k->cleanup;
  }
  m->errors |= k->throws ? OF_FIRST << i : 0;
  m->child_failed |= k->throws;
  return by_itself;
}

static void find_ends(model *m) {
  const way *w = m->w;
  m->body_left = m->body_cut ? m->marked : body_time(w);
  m->scope_ended = m->body_left;
  for (int i = 0; i < 2; i++) {
    if (!is_there(w->child[i]))
      continue;
    int at = child_ends(m, i);
    m->waited |= alone(w->child[i]) > m->body_left;
    if (at > m->scope_ended)
      m->scope_ended = at;
  }
  bool acted = !m->body_cut;
  m->own = w->own && (w->own == LAST_ACT ? acted : w->own <= m->marked || w->own < m->scope_ended);
  m->outer = w->outer && (w->outer == LAST_ACT ? acted : w->outer <= m->marked || w->outer < m->scope_ended);
}

// A mark that would have come after all had ended has marked nothing.
static void forget_late_mark(model *m) {
  int last = body_time(m->w);
  for (int i = 0; i < 2; i++)
    if (alone(m->w->child[i]) > last)
      last = alone(m->w->child[i]);
  if (m->marked > last)
    m->marked = m->marked_by_own = m->marked_by_outer = 0;
}

static int how_it_goes_on(enum exit e) {
  static const int ways[EXITS] = { ON, RETURNED, BROKE, JUMPED, NOWHERE, ON };
  return ways[e];
}

static outcome expected(const way *w) {
  model m = { .w = w };
  outcome o = { 0 };
  find_mark(&m);
  forget_late_mark(&m);
  find_ends(&m);
  bool threw = w->exit == THROW && !m.body_cut;
  m.errors |= threw ? OF_BODY : m.body_cut && w->cleanup_throws ? OF_CLEANUP : 0;
  if (!threw && !m.child_failed && m.outer && (m.body_cut || m.waited)) {
    o.ended_with = m.errors;
    o.cancelled = !m.errors;
    return o;
  }
  if (m.errors) {
    o.caught = m.errors;
    o.went = CAUGHT;
    o.cancelled = w->from_scope && m.marked_by_outer && m.child_cut; // the scope around has cut short a child
    return o;
  }
  o.else_ran = m.own && (m.body_cut || (m.child_cut && m.marked_by_own));
  o.went = o.else_ran ? ON : how_it_goes_on(w->exit);
  return o;
}

// ---- the program ----
static int errors_in(const fm_error *e) {
  int all = 0;
  for (; e; e = fm_error_next(e)) {
    struct bad b = { 0 };
    if (strcmp(fm_error_name(e), "bad") == 0)
      memcpy(&b, fm_error_value(e), sizeof b);
    all += b.who ? b.who : 1000;                  // one that comes twice changes the sum, too
  }
  return all;
}

async static void child(int k, int who) throws(struct bad) {
  const kind *me = &kinds[k];
  bool cut = true;
  try {
    fm_sleep(alone(k));
    cut = false;
  } finally {
    if (cut && me->cleanup) fm_sleep(me->cleanup);
    if (cut && me->cleanup_throws) throw (struct bad){ who };
  }
  if (me->throws) throw (struct bad){ who };
}

#pragma fermata auto_yield off                    // between the last acts of the body and its exit no child has a turn
async static void body(const way *w, fm_activity s, fm_activity above) throws(struct bad) {
  bool cut = true;
  try {
    fm_sleep(body_time(w));
    cut = false;
  } finally {
    if (cut && w->cleanup_throws) throw (struct bad){ OF_CLEANUP };
  }
  if (w->outer == LAST_ACT && w->outer_first) fm_cancel(above);
  if (w->own == LAST_ACT) fm_cancel(s);
  if (w->outer == LAST_ACT) fm_cancel(above);
}

static fm_activity scope_of_subject;

async static int leaves(const way *w, fm_activity above, outcome *o) throws(struct bad) {
  for (;;) {
    scope (s) {
      scope_of_subject = s;
      if (w->by_deadline && w->own && w->own != LAST_ACT) fm_cancel_after(s, (uint64_t)w->own);
      for (int i = 0; i < 2; i++)
        if (is_there(w->child[i])) spawn child(w->child[i], OF_FIRST << i);
      body(w, s, above);
      if (w->exit == RETURN) return RETURNED;
      if (w->exit == BREAK) break;
      if (w->exit == GOTO) goto out;
      if (w->exit == THROW) throw (struct bad){ OF_BODY };
    }
    else o->else_ran++;
    return ON;
  }
  return BROKE;
out:
  return JUMPED;
}

#pragma fermata auto_yield calls
async static void guarded(const way *w, fm_activity above, outcome *o) {
  try {
    o->went = leaves(w, above, o);
  } catch (fm_error *e) {
    o->went = CAUGHT;
    o->caught += errors_in(e);
  }
}

async static void subject(const way *w, outcome *o) {
  if (!w->from_scope) {
    guarded(w, fm_self(), o);
    return;
  }
  scope (above) {
    if (w->outer && w->outer != LAST_ACT) fm_cancel_after(above, (uint64_t)w->outer);
    guarded(w, above, o);
  }
  else o->cancelled++;
}

async static void cancels_scope(int after) {
  fm_sleep(after);
  fm_cancel(scope_of_subject);
}

async static outcome actual(const way *w) {
  outcome o = { 0 };
  auto t = spawn now subject(w, &o);
  auto canceller = spawn cancels_scope(w->own);
  if (w->by_deadline || !w->own || w->own == LAST_ACT) fm_cancel(fm_id(canceller));
  if (!w->from_scope && w->outer && w->outer != LAST_ACT) fm_cancel_after(fm_id(t), (uint64_t)w->outer);
  try {
    await t;
  } catch (struct fm_cancelled c) {
    (void)c;
    o.cancelled++;
  } catch (fm_error *e) {
    o.ended_with += errors_in(e);
  }
  fm_cancel(fm_id(canceller));
  try { await canceller; } catch (struct fm_cancelled c) { (void)c; }
  return o;
}

// ---- all cases ----
static long tried, wrong;

static void print(const char *what, outcome o) {
  printf("  %s: else %d, went %d, caught %d, ended with %d, cancelled %d\n", what, o.else_ran, o.went, o.caught,
         o.ended_with, o.cancelled);
}

async static void try_way(const way *w) {
  outcome want = expected(w), have = actual(w);
  tried++;
  if (memcmp(&want, &have, sizeof want) == 0 || ++wrong > 20)
    return;
  printf("exit %d, own %d%s, outer %d%s%s, cleanup throws %d, children %d %d\n", w->exit, w->own,
         w->by_deadline ? " by deadline" : "", w->outer, w->outer_first ? " first" : "",
         w->from_scope ? " from a scope" : "", w->cleanup_throws, w->child[0], w->child[1]);
  print("expected", want);
  print("actual", have);
}

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

async static void try_children(way w, int every) {
  static unsigned turn;
  for (int i = 0; i < KINDS; i++)
    for (int j = 0; j < KINDS; j++) {
      w.child[0] = i;
      w.child[1] = j;
      if (i == 0 || j == 0 ? j != 0 : ++turn % (unsigned)every)
        continue;
      try_way(&w);
    }
}

async static void try_exits(way w, int every) {
  for (int bits = 0; bits < 16; bits++) {
    w.outer_first = bits & 1;
    w.by_deadline = bits & 2;
    w.from_scope = bits & 4;
    w.cleanup_throws = bits & 8;
    if ((w.outer_first && (w.own != LAST_ACT || w.outer != LAST_ACT)) || (w.by_deadline && !w.own) || (w.from_scope && !w.outer))
      continue;
    for (w.exit = 0; w.exit < EXITS; w.exit++)
      if (w.exit != WAIT || (w.own != LAST_ACT && w.outer != LAST_ACT))
        try_children(w, every);
  }
}

async int main(int argc, char **argv) {
  int every = argc > 1 ? atoi(argv[1]) : 64;
  for (int i = 0; i < COUNT(own_times); i++)
    for (int j = 0; j < COUNT(outer_times); j++)
      try_exits((way){ .own = own_times[i], .outer = outer_times[j] }, every);
  if (wrong || tried < 1000)
    printf("%ld of %ld are wrong\n", wrong, tried);
  else
    printf("all as the rules say\n");
  return wrong != 0;
}
