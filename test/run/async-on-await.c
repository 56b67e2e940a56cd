// A task is awaited, shared, given up and put into fm_all and fm_any by activities of other domains than its own: values of any size, errors,
// tasks that have ended before, cancels on both sides; and what its domain's end does.
#include "parts/async.h"
#include <fermata/pool.h>
#include <fermata/time.h>
#include <stdatomic.h>

struct failed { int code; };
struct large { int n; char text[300]; };
typedef task(int) throws(struct failed) risky;

static _Atomic int open_gate, waiting, unwound, given_up;

static async void until(_Atomic int *count, int n) { while (*count < n) fm_sleep(1); }

static async int when_open(int v) {
  defer unwound++;
  until(&open_gate, 1);
  return v;
}

static async struct large large(int n) {
  struct large l = { .n = n };
  snprintf(l.text, sizeof l.text, "text %d", n);
  yield;
  return l;
}

static async int fails(int code) throws(struct failed) {
  yield;
  throw (struct failed){ code };
}

static async int fine(int v) throws(struct failed) {
  if (v < 0) throw (struct failed){ v };
  return v;
}

static async void forever(void) {
  defer unwound++;
  waiting++;
  fm_sleep(1000000);
}

static async void nothing(void) { yield; }

// ---- in the other domain ----
static async int takes(task(int) t) { return await t; }
static async int takes_large(task(struct large) t) {
  struct large l = await t;
  return l.n + l.text[5];
}
static async int takes_nothing(task(void) t) { await t; return 1; }
static async int takes_atomically(task(int) t) { return atomic await t; }

static async int catches(risky t) {
  try {
    return await t;
  } catch (struct failed f) {
    return -f.code;
  }
}

static async int is_cancelled(task(void) t) {
  try {
    await t;
  } catch (struct fm_cancelled e) {
    return 7;
  }
  return 0;
}

static async void waits(task(int) t) {
  waiting++;
  await t;
}

static async int either(task(int) t) {            // a race that the task loses
  race {
  case await t: return 1;
  case fm_sleep(2): return 2;
  }
}

static async int one_of(task(int) t) {            // one that it wins
  int v;
  race {
  case v = await t: return v;
  case fm_sleep(1000000): return -1;
  }
}

static async int sum_of(task(int) a, task(int) b) {
  task(int) t[] = { a, spawn later(100), b };
  fm_all(t, 3);
  return await t[0] + await t[1] + await t[2];
}

static async int all_fail(risky a, risky b) {
  risky t[] = { a, b, spawn fine(1) };
  try {
    fm_all(t, 3);
  } catch (struct failed f) {
    return f.code;
  }
  return 0;
}

static async int first_of(task(int) a, task(int) b) {
  task(int) t[] = { a, b };
  size_t i = fm_any(t, 2);
  return 1000 * (int)i + await t[i];
}

static async int shares(task(int) t, fm_domain *other) {
  auto second = fm_share(t);
  auto u = spawn on(other) takes(second);
  return await t * 1000 + await u;
}

static async void gives_up(task(int) t) {
  fm_detach(t);
  given_up++;
}

static async int atomically_all(task(int) t) {
  atomic fm_all(&t, 1);
  return await t + 1;
}

async int main(void) {
  fm_domain *d = fm_domain_new(NULL), *d2 = fm_domain_new(NULL);
  int r;
  // values
  auto t = spawn when_open(5);
  auto u = spawn on(d) takes(t);
  open_gate = 1;
  printf("%d\n", r = await u);                    // expect: 5
  t = spawn later(6);
  fm_join(fm_id(t));                              // it has ended already
  u = spawn on(d) takes(t);
  printf("%d\n", r = await u);                    // expect: 6
  auto l = spawn large(3);
  u = spawn on(d) takes_large(l);
  printf("%d\n", r = await u);                    // expect: 54
  auto n = spawn nothing();
  u = spawn on(d) takes_nothing(n);
  printf("%d\n", r = await u);                    // expect: 1
  t = spawn later(8);
  u = spawn on(d) takes_atomically(t);
  printf("%d\n", r = await u);                    // expect: 8
  t = spawn on(d) later(9);                       // which stands for one in d, here
  u = spawn on(d2) takes(t);
  printf("%d\n", r = await u);                    // expect: 9

  // errors, cancels
  risky f = spawn fails(4);
  u = spawn on(d) catches(f);
  printf("%d\n", r = await u);                    // expect: -4
  f = spawn fine(-3);
  fm_join(fm_id(f));
  u = spawn on(d) catches(f);
  printf("%d\n", r = await u);                    // expect: 3
  auto v = spawn forever();
  u = spawn on(d) is_cancelled(v);
  until(&waiting, 1);
  fm_cancel(fm_id(v));
  printf("%d\n", r = await u);                    // expect: 7

  // a cancel of who awaits: the task is still there
  open_gate = waiting = 0;
  t = spawn when_open(11);
  auto w = spawn on(d) waits(t);
  until(&waiting, 1);
  fm_cancel(fm_id(w));
  fm_join(fm_id(w));
  fm_detach(w);
  u = spawn on(d) either(t);
  printf("%d\n", r = await u);                    // expect: 2
  open_gate = 1;
  printf("%d\n", r = await t);                    // expect: 11
  t = spawn later(12);
  u = spawn on(d) one_of(t);
  printf("%d\n", r = await u);                    // expect: 12
  // one and the same task in two domains, and here
  t = spawn later(13);
  auto again = fm_share(t);
  u = spawn on(d) shares(t, d2);
  printf("%d ", r = await u);
  printf("%d\n", r = await again);                // expect: 13013 13

  // several
  t = spawn later(10);
  auto t2 = spawn later(20);
  u = spawn on(d) sum_of(t, t2);
  printf("%d\n", r = await u);                    // expect: 130
  f = spawn fails(21);
  risky f2 = spawn fails(22);
  u = spawn on(d) all_fail(f, f2);
  r = await u;
  printf("%d\n", r == 21 || r == 22);             // expect: 1
  open_gate = 0;
  t = spawn when_open(1);
  t2 = spawn later(30);
  u = spawn on(d) first_of(t, t2);
  int before = unwound;
  printf("%d ", r = await u);
  printf("%d\n", unwound - before);               // expect: 1030 1
  t = spawn later(40);
  u = spawn on(d) atomically_all(t);
  printf("%d\n", r = await u);                    // expect: 41
  t = spawn later(0);
  spawn on(d) gives_up(t);
  until(&given_up, 1);

  // the end of its domain
  waiting = 0;
  auto there = spawn on(d2) forever();
  u = spawn on(d) is_cancelled(there);
  until(&waiting, 1);
  fm_domain_free(d2);
  printf("%d\n", r = await u);                    // expect: 7
}
