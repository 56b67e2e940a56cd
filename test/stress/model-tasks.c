// stress: fm_all, fm_any, await and fm_join against a model: actors start tasks, which note in which order they end, and wait for them: until
// all have ended, or one has failed; until the first has ended; one after the other. They are disturbed as in model.h, and so are the tasks.
// env: FERMATA_DRIVER=virtual
// expect: ok
#define CHILDREN true
#include "model.h"

enum { MOST = 4 };
struct failed { int which; };

// What a task is to do, and how and as which of all it has ended (0: it has not).
typedef struct Work { int which; unsigned ms; bool fails, started, cancelled; long end; } Work;
static Work works[ACTORS][MOST];
static long ends;

static async int work(Work *w) throws(struct failed) {
  bool done = false;
  w->started = true;
  defer {
    w->end = ++ends;
    w->cancelled = !done;
  }
  fm_sleep(w->ms);
  done = true;
  if (w->fails)
    throw (struct failed){ w->which };
  return 100 + w->which;
}

static int make(Work *w) {
  int n = 1 + (int)draw(MOST);
  for (int i = 0; i < n; i++)
    w[i] = (Work){ .which = i, .ms = draw(4), .fails = !draw(4) };
  done_ops += n;
  return n;
}

static bool matters(const Work *w, bool any) {
  return any || w->cancelled || w->fails;
}

// The first to end, or to fail; -1: none. All have ended; whoever was cancelled was so after that.
static int decides(const Work *w, int n, bool any) {
  int first = -1;
  for (int i = 0; i < n; i++) {
    CHECK(w[i].end, "a task lives");
    if (matters(&w[i], any) && (first < 0 || w[i].end < w[first].end))
      first = i;
  }
  for (int i = 0; i < n; i++)
    CHECK(!w[i].cancelled || first != i, "cancelled without a reason");
  return first;
}

static async void wait_all(Work *w) {
  int n = make(w), first = -1;
  task(int) throws(struct failed) t[MOST];
  for (int i = 0; i < n; i++)
    t[i] = spawn work(&w[i]);
  try {
    fm_all(t, (size_t)n);
    CHECK(decides(w, n, false) < 0, "one has failed");
    for (int i = 0; i < n; i++)
      CHECK(await t[i] == 100 + i, "another result");
  } catch (struct failed e) {
    first = e.which;
  }
  CHECK(decides(w, n, false) == first, "another one failed first");
}

static async void wait_any(Work *w) {
  int n = make(w);
  task(int) throws(struct failed) t[MOST];
  for (int i = 0; i < n; i++)
    t[i] = spawn work(&w[i]);
  int which = (int)fm_any(t, (size_t)n);
  CHECK(which == decides(w, n, true), "another one was the first");
  try {
    CHECK(await t[which] == 100 + which && !w[which].fails, "another result");
  } catch (struct failed e) {
    CHECK(w[which].fails && e.which == which, "it failed");
  }
}

static async void join_it(fm_activity id, Work *w) {
  fm_join(id);
  CHECK(w->end, "joined, and it lives");
}

static async void wait_each(Work *w) {
  int n = make(w), gone = (int)draw(MOST);
  task(int) throws(struct failed) t[MOST];
  for (int i = 0; i < n; i++) {
    t[i] = spawn work(&w[i]);
    spawn join_it(fm_id(t[i]), &w[i]);
  }
  if (gone < n)
    fm_cancel(fm_id(t[gone]));
  for (int i = 0; i < n; i++)
    try {
      CHECK(await t[i] == 100 + i && !w[i].fails && !w[i].cancelled, "another result");
    } catch (struct failed e) {
      CHECK(w[i].fails && e.which == i && !w[i].cancelled, "it failed");
    } catch (struct fm_cancelled e) {
      (void)e;
      CHECK(i == gone && w[i].cancelled, "it was not cancelled");
    }
}

static void nothing_lives(Work *w) {
  for (int i = 0; i < MOST; i++)
    CHECK(!w[i].started || w[i].end, "the scope is over, and a task lives");
}

// An actor that is cancelled leaves tasks that no one awaits: the scope waits for them, and may throw what they threw.
static async void step(Actor *a) {
  Work *w = works[a - actors];
  memset(w, 0, sizeof works[0]);
  defer nothing_lives(w);
  try {
    scope(s) {
      switch (draw(3)) {
      case 0: wait_all(w); break;
      case 1: wait_any(w); break;
      default: wait_each(w); break;
      }
    }
  } catch (struct failed e) {
    settle();
    CHECK(w[e.which].fails && is_cancelled(a), "an error that was caught comes again");
  }
}

static async void play(void) {
  drive();
}
