// A cancelled awaiter of a cancelled task goes on unwinding: there is no error. But errors that
// hang on that one are not lost, neither in an await nor in a race.
#include <fermata.h>
#include <stdio.h>

struct bad { int n; };

static bool has_ended;
static fm_activity reader;

static async void waits(void) {
  for (;;)
    yield;
}

static async void awaits_a_cancelled_task(void) throws(fm_error) {
  auto t = spawn now waits();
  fm_cancel(fm_id(t));
  await t;
}

static async void fails(bool also_bad) throws(struct bad) {
  if (!also_bad)
    return;
  defer throw (struct bad){ 7 };
  waits();
}

// Throws that a task was cancelled; the other error may hang on it.
static async int both(bool also_bad) throws(fm_error) {
  defer has_ended = true;
  scope {
    spawn fails(also_bad);
    spawn awaits_a_cancelled_task();
  }
  return 0;
}

static async void cancels(void) {
  while (!has_ended)
    yield;
  fm_cancel(reader);
}

static async void by_await(bool also_bad) throws(fm_error) {
  reader = fm_self();
  await spawn both(also_bad);
}

static async int goes_wrong(bool also_bad) throws(struct bad) {
  if (also_bad) {
    defer throw (struct bad){ 8 };
    waits();
  }
  waits();
  return 0;
}

static async void by_race(bool also_bad) throws(fm_error) {
  reader = fm_self();
  race {
  case both(false):;
  case goes_wrong(also_bad):;
  }
}

static void report(const char *what, const fm_error *e) {
  printf("%s:", what);
  for (; e; e = fm_error_next(e))
    printf(" %s", fm_error_name(e));
  printf("\n");
}

typedef async void reads(bool) throws(fm_error);

static async void play(const char *what, reads *f, bool also_bad) {
  has_ended = false;
  try {
    scope {
      spawn f(also_bad);
      spawn cancels();
    }
    printf("%s: no error\n", what);
  } catch (fm_error *e) {
    report(what, e);
  }
}

async int main(void) {
  play("await", by_await, false);  // expect: await: no error
  play("await", by_await, true);   // expect: await: fm_cancelled bad
  play("race", by_race, false);    // expect: race: no error
  play("race", by_race, true);     // expect: race: fm_cancelled bad
  return 0;
}
