// Who consumes: for_each and all the ways to leave it, subscriptions, step by step; keep and drop; sources from channels, events and
// functions; pausing and resuming.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/stream.h"

typedef fm_chan(int) int_chan;
typedef fm_event(int) int_event;
struct stop { int n; };
static int unwound;

static async void emit(ints out, int n) {
  defer unwound++;
  for (int i = 0; i < n; i++) {
    fm_sleep(10);
    fm_stream_emit(out, i);
  }
}
static ints emitted(int n) { return fm_stream_generate(ints, emit, n); }
static ints both(void) { return fm_stream_merge(emitted(9), emitted(9)); }

// ---- leaving ----
static async int leave(int way) throws(fm_error) {
  int n = 0;
  fm_for_each (x, both()) {
    n++;
    if (x < 1) continue;
    if (way == 0) break;
    if (way == 1) return n;
    if (way == 2) throw (struct stop){ n };
    if (way == 3) goto out;
    if (way == 4) fm_cancel(fm_self());
  }
  n += 100;
out:
  return n;
}

static async void leaving(void) {
  for (int way = 0; way < 6; way++) {
    unwound = 0;
    auto t = spawn leave(way);
    try {
      printf("%d", await t);
    } catch (struct stop s) {
      printf("stop %d", s.n);
    } catch (fm_error *e) {
      printf("%s", fm_error_name(e));
    }
    printf(", unwound %d\n", unwound);
  }
}

// ---- subscriptions ----
static async void print(int x, const char *who) throws(struct stop) {
  printf(" %s%d", who, x);
  if (x == 7) throw (struct stop){ x };
}

static async void subscribing(void) throws(fm_error) {
  scope {
    fm_subscribe(every(10, 0, 3), print, "a");
    fm_subscribe(every(15, 0, 2), print, "b");
  }
  printf(" |\n");
  try {
    scope {
      fm_subscribe(every(10, 0, 9), print, "c");
      fm_subscribe(every(10, 5, 9), print, "d");
    }
  } catch (struct stop s) {
    printf(" stop %d\n", s.n);
  }
  auto t = fm_subscribe(every(10, 0, 9), print, "e");
  fm_sleep(25);
  fm_pause(fm_id(t));
  fm_sleep(100);
  printf(" resumed");
  fm_resume(fm_id(t));
  fm_sleep(25);
  fm_cancel(fm_id(t));
  try {
    await t;
  } catch (struct fm_cancelled c) {
    (void)c;
    printf(" cancelled\n");
  }
  fm_stream_run(fm_stream_of(ints, 1, 2), print, "f");
  printf("\n");
}

// ---- a merge in a subscription that is paused: its sources are, too ----
static async void pausing(void) throws(fm_error) {
  auto t = fm_subscribe(both(), print, "g");
  fm_sleep(25);
  fm_pause(fm_id(t));
  fm_sleep(100);
  printf(" resumed");
  fm_resume(fm_id(t));
  fm_sleep(15);
  fm_cancel(fm_id(t));
  fm_join(fm_id(t));
  fm_detach(t);
  printf(" |\n");
}

// ---- by hand ----
static async void stepping(void) throws(fm_error) {
  ints s = both();
  int x = 0, past[3];
  fm_stream_open(&s);
  defer fm_stream_close(&s);
  for (int i = 0; i < 4; i++)
    race {
      case fm_stream_next(&s, &x): printf(" %d", x);
      case fm_sleep(15): printf(" late");
    }
  size_t n = fm_stream_past(&s, past, 3);
  printf(" past %zu: %d %d %d\n", n, past[0], past[1], past[2]);
  fm_stream_close(&s);                            // once more does nothing
}

// ---- one description, several runs ----
static async void keeping(void) throws(fm_error) {
  ints s = fm_stream_map(ints, fm_stream_of(ints, 1, 2, 3), fragile, 9);
  fm_for_each (x, fm_stream_keep(s)) fm_for_each (y, fm_stream_take(fm_stream_keep(s), 2)) printf(" %d%d", x, y);
  printf("\n");
  fm_for_each (x, fm_stream_concat(fm_stream_keep(s), s)) printf(" %d", x);
  printf("\n");
  fm_stream_drop(fm_stream_merge(both(), fm_stream_take(both(), 3)));
}

// ---- channels and events ----
static async void feed(int_chan *c, int_event *e) {
  for (int i = 0; i < 5; i++) {
    if (i % 2 == 0) fm_sleep(10);                 // the others come together
    fm_emit(e, i);
    (void)fm_try_send(c, i);
  }
  fm_chan_close(c);
}

static async void hot(void) throws(fm_error) {
  int_chan c;
  int_event e;
  fm_chan_init(&c, 2);
  fm_event_init(&e);
  auto t = spawn feed(&c, &e);
  fm_for_each (x, fm_stream_from_chan(ints, &c)) printf(" %d", x);
  printf("\n");
  fm_emit(&e, 100);                               // nobody hears it
  auto u = spawn feed(&c, &e);
  fm_for_each (x, fm_stream_take(fm_stream_from_event(ints, &e, 3), 5)) printf(" %d", x);
  printf("\n");
  auto v = spawn feed(&c, &e);
  fm_for_each (x, fm_stream_take(fm_stream_from_event(ints, &e, 1), 3)) {
    printf(" %d", x);
    fm_sleep(15);                                 // 1 and 2 come, and are dropped
  }
  printf("\n");
  await t;
  await u;
  await v;
  fm_chan_free(&c);
}

// ---- generators ----
static async void several(ints out) throws(struct stop) {
  for (int i = 0; i < 2; i++) activate (i) {
    for (int k = 0; k < 3; k++) {
      fm_sleep((uint64_t)(10 + i));
      fm_stream_emit(out, 10 * i + k);
    }
  }
  fm_sleep(50);
  throw (struct stop){ 5 };
}
static async void quits(ints out) {
  fm_stream_emit(out, 1);
  fm_cancel(fm_self());
  yield;
}

async int main(void) {
  leaving();
  // expect: 103, unwound 2
  // expect: 3, unwound 2
  // expect: stop 3, unwound 2
  // expect: 3, unwound 2
  // expect: fm_cancelled, unwound 2
  // expect: 118, unwound 2
  try {
    subscribing();
    // expect:  a0 b0 a1 b1 a2 |
    // expect:  c0 d5 c1 d6 c2 d7 stop 7
    // expect:  e0 e1 resumed e2 e3 e4 e5 e6 cancelled
    // expect:  f1 f2
    pausing();
    // expect:  g0 g0 g1 g1 resumed g2 g2 g3 g3 |
    stepping();
    // expect:  0 0 1 1 past 3: 0 1 1
    keeping();
    // expect:  11 12 21 22 31 32
    // expect:  1 2 3 1 2 3
    hot();
    // expect:  0 1 2 3 4
    // expect:  0 1 2 3 4
    // expect:  0 3 4
    try {
      fm_for_each (x, fm_stream_generate(ints, several)) printf(" %d", x);
    } catch (struct stop s) {
      printf(" stop %d\n", s.n);
      // expect:  0 10 1 11 2 12 stop 5
    }
    fm_for_each (x, fm_stream_generate(ints, quits)) printf(" %d", x);
  } catch (fm_error *e) {
    printf(" %s\n", fm_error_name(e));
    // expect:  1 fm_cancelled
  }
}
