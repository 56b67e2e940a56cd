// What was spawned on a pool and has not begun goes to a domain that has nothing to do; until then it is cancelled, paused, joined and
// shown like any activity that has not begun. What was spawned on a domain stays there, in order.
#include "parts/async.h"
#include <fermata/pool.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <fermata/trace.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#pragma fermata auto_yield off

enum { MANY = 100 };
static _Atomic int count, begun, release;           // release: up to which hold
static int holds;
static fm_domain *where[MANY];
static int order[MANY];

static async void counts(int i) {
  where[i] = fm_domain_here();
  count++;
}

static async void spins(_Atomic int *what, int n) { // its thread does nothing else
  begun++;
  while (*what < n) sched_yield();
}

static async void notes(int i) { order[count++] = i; }
static async int sleeps(int i) { fm_sleep(1000000); return i; }
static async int sum(int n) {
  if (n == 0) return 1;
  fm_sleep(0);
  return n;
}

static async void hold(fm_pool *p) {              // all domains of p are busy
  begun = 0;
  holds++;
  for (int i = 0; i < fm_pool_size(p); i++) spawn detached on(fm_pool_domain(p, i)) spins(&release, holds);
  while (begun < fm_pool_size(p)) fm_sleep(1);
}

// One domain is busy until all of them have run.
static async void moves(fm_pool *p) {
  int n = 0;
  begun = count = 0;
  auto busy = spawn on(fm_pool_domain(p, 0)) spins(&count, MANY);
  while (!begun) fm_sleep(1);
  scope (all) for (int i = 0; i < MANY; i++) spawn on(p) counts(i);
  await busy;
  for (int i = 0; i < MANY; i++) n += where[i] == fm_pool_domain(p, 1);
  printf("%d of %d\n", n, count);
}

// From inside the pool: children of an activity that goes on without a pause.
static async int inside(fm_pool *p) {
  count = 0;
  scope (all) {
    for (int i = 0; i < MANY; i++) spawn on(p) counts(i);
    spins(&count, MANY);
  }
  return count;
}

static async void stays(fm_pool *p) {
  int wrong = 0;
  hold(p);
  count = 0;
  scope (all) {
    for (int i = 0; i < MANY; i++) spawn on(fm_pool_domain(p, 1)) notes(i);
    release = holds;
  }
  for (int i = 0; i < MANY; i++) wrong += order[i] != i;
  printf("%d, %d out of order\n", count, wrong);
}

static void show(fm_activity a) {                 // its state, without its number
  char line[200];
  FILE *f = tmpfile();
  fm_dump_of(f, a);
  rewind(f);
  if (fgets(line, sizeof line, f)) printf("%s", strstr(line, "sum: "));
  fclose(f);
}

static async void joiner(fm_activity a) { fm_join(a); count++; }

static async void before_it_begins(fm_pool *p) {
  hold(p);
  count = 0;
  auto cancelled = spawn on(p) sleeps(1);
  auto paused = spawn on(p) sum(5);
  auto joined = spawn on(p) sum(6);
  spawn joiner(fm_id(joined));
  fm_cancel(fm_id(cancelled));
  fm_pause(fm_id(paused));
  show(fm_id(joined));
  release = holds;
  try {
    await cancelled;
  } catch (fm_error *e) {
    printf("%s:%d\n", fm_error_name(e), fm_error_line(e));
  }
  printf("%d\n", await joined);
  fm_sleep(5);
  printf("%d %d\n", fm_alive(fm_id(paused)), count);
  fm_resume(fm_id(paused));
  printf("%d\n", await paused);
}

static async int in_an_atomic(fm_pool *p) {       // on a domain of p
  auto t = spawn on(p) sum(0);
  int a = atomic await t;
  return a + atomic ({ auto u = spawn on(p) sum(0); await u; });
}

// The pool ends while starts wait: they begin, and are cancelled at their first pause.
static async void pool_ends(void) {
  fm_pool *p = fm_pool_new(2);
  task(int) t[MANY];
  int n = 0;
  hold(p);
  for (int i = 0; i < MANY; i++) t[i] = spawn on(p) sleeps(i);
  release = holds;
  fm_pool_free(p);
  for (int i = 0; i < MANY; i++)
    try {
      await t[i];
    } catch (fm_error *e) {
      n++;
    }
  printf("%d cancelled\n", n);
}

async int main(void) {
  fm_pool *p = fm_pool_new(2);
  moves(p);                                       // expect: 100 of 100
  auto t = spawn on(p) inside(p);
  printf("%d\n", await t);                        // expect: 100
  stays(p);                                       // expect: 100, 0 out of order
  before_it_begins(p);                            // expect: sum: waits at async-on-pool-moves.c:32 for a domain of its pool
                                                  // expect: fm_cancelled:97
                                                  // expect: 6
                                                  // expect: 1 1
                                                  // expect: 5
  t = spawn on(p) in_an_atomic(p);
  printf("%d\n", await t);                        // expect: 2
  pool_ends();                                    // expect: 100 cancelled
  fm_pool_free(p);
}
