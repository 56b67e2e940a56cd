// No error is lost: those that restart an agent, that lose a race or fm_any, that finally replaces, that no one awaits.
// env: FERMATA_DRIVER=virtual
// env: FERMATA_TICK=off
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/pool.h>
#include <fermata/stream.h>
#include <fermata/time.h>

struct bad { int n; };
typedef fm_agent(int) server;
typedef fm_stream(int) ints;

static void hears(const fm_error *e, fm_activity a, void *arg) {
  (void)a;
  printf("%s", (const char *)arg);
  for (; e; e = fm_error_next(e))
    printf(" %d", ((const struct bad *)fm_error_value(e))->n);
  printf("\n");
}

static void tell(const char *who, const fm_error *e) {
  printf("%s", who);
  for (; e; e = fm_error_next(e))
    printf(" %d", ((const struct bad *)fm_error_value(e))->n);
  printf("\n");
}

static async void fails(int ms, int n) throws(struct bad) {
  fm_sleep((uint64_t)ms);
  throw (struct bad){ n };
}

static async void ends(int ms) throws(struct bad) {
  fm_sleep((uint64_t)ms);
}

static async void fails_when_cancelled(int n) throws(struct bad) {
  try {
    fm_sleep(1000);
  } finally {
    if (n) throw (struct bad){ n };
  }
}

// ---- agents ----
static long starts;
static async void always_fails(void *self, void *arg) throws(struct bad) {
  (void)self, (void)arg;
  throw (struct bad){ (int)++starts };
}

static async void ticks(int *n) {
  for (int i = 0; i < 5; i++, ++*n)
    yield;
}

static async void agents(void) {
  server s;
  int n = 0;
  fm_agent_init(&s);
  try {
    scope(x) {                                    // fails before its first wait; the others run
      auto t = spawn ticks(&n);
      spawn fm_agent_run(&s, always_fails, NULL, FM_ALWAYS);
      await t;
      fm_cancel(x);
    }
  } catch (fm_error *e) {
    tell("not expected", e);
  }
  // expect: handler 1
  // expect: handler 2
  // expect: handler 3
  // expect: handler 4
  // expect: handler 5
  // expect: handler 6
  printf("%d ticks\n", n);                        // expect: 5 ticks
  try {
    starts = 10;
    fm_agent_run(&s, always_fails, NULL, 2);
  } catch (fm_error *e) {
    tell("thrown", e);
  }
  // expect: handler 11
  // expect: handler 12
  // expect: thrown 13
  fm_agent_free(&s);
}

// ---- fm_any, fm_all ----
static async void several(void) {
  task(void) t[3];
  for (int i = 0; i < 3; i++)
    t[i] = spawn fails(3, 20 + i);
  try {
    await t[fm_any(t, 3)];
  } catch (fm_error *e) {
    tell("any", e);                               // expect: any 20 21 22
  }
  t[0] = spawn ends(3);
  t[1] = spawn fails(3, 23);
  t[2] = spawn fails_when_cancelled(0);
  try {
    await t[fm_any(t, 3)];                        // expect: handler 23
  } catch (fm_error *e) {
    tell("not expected", e);
  }
  for (int i = 0; i < 3; i++)
    t[i] = spawn fails(3, 30 + i);
  try {
    fm_all(t, 3);
  } catch (fm_error *e) {
    tell("all", e);                               // expect: all 30 31 32
  }
}

// ---- races: the arm whose last wait ends first wins in that step, so the others have not failed ----
static async void races(void) {
  try {
    race {
    case fails(3, 40):
    case fails(3, 41):
    case ends(10):
    }
  } catch (fm_error *e) {
    tell("race", e);                              // expect: race 40
  }
  try {
    race {
    case ends(3):
      printf("won\n");
    case fails(3, 42):
    }
    // expect: won
  } catch (fm_error *e) {
    tell("not expected", e);
  }
}

// ---- finally, streams, kept tasks ----
static async void replaced(void) {
  try {
    try {
      fails(1, 50);
    } finally {
      fails(1, 51);
    }
  } catch (fm_error *e) {
    tell("finally", e);                           // expect: finally 51 50
  }
}

static int second = 60;
static int fail_later(int x) throws(struct bad) {
  (void)x;
  throw (struct bad){ second++ };
}

static async void streams(void) {
  ints one = fm_stream_map(ints, fm_stream_of(ints, 1), fail_later);
  ints two = fm_stream_map(ints, fm_stream_of(ints, 2), fail_later);
  try {
    fm_for_each (x, fm_stream_merge(one, two))
      printf("%d\n", x);
  } catch (fm_error *e) {
    tell("stream", e);
  }
  // expect: handler 61
  // expect: stream 60
}

async int main(void) {
  fm_on_error(hears, "handler");
  agents();
  several();
  races();
  replaced();
  streams();
  auto t = spawn detached fails(1, 70);           // its task is held until the end
  fm_join(fm_id(t));
  return 0;                                       // expect: handler 70
}
