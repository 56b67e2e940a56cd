// Cancel and pause reach what was spawned in another domain: by its task, by a scope, by an activity that it gave away; and
// who is cancelled has unwound there before its task ends here.
#include "parts/async.h"
#include <fermata/pool.h>
#include <fermata/time.h>
#include <stdatomic.h>

static _Atomic int unwound, steps, asleep;

static async void sleeper(void) {
  defer unwound++;
  asleep++;
  fm_sleep(100000);
}

static async void until(_Atomic int *count, int n) { while (*count < n) fm_sleep(1); }

static async void stubborn(void) {
  shield fm_sleep(5);
  unwound += 10;
  fm_sleep(100000);
}

static async void steady(void) {
  for (;;) {
    fm_sleep(1);
    steps++;
  }
}

static async int quick(void) { return 3; }

static async void gives(fm_activity *self) {
  *self = fm_self();
  sleeper();
}

static async void waits_below(fm_domain *d) {     // in one domain, for another one
  auto t = spawn on(d) sleeper();
  await t;
}

static async void show(task(void) t) {
  try {
    await t;
    printf("ended\n");
  } catch (fm_error *e) {
    printf("%s:%d %d\n", fm_error_name(e), fm_error_line(e), unwound);
  }
}

async int main(void) {
  fm_domain *d = fm_domain_new(NULL), *d2 = fm_domain_new(NULL);
  auto t = spawn on(d) sleeper();
  fm_cancel(fm_id(t));                            // before it has begun
  show(t);                                        // expect: fm_cancelled:55 1
  t = spawn on(d) stubborn();
  fm_sleep(2);
  fm_cancel(fm_id(t));
  show(t);                                        // expect: fm_cancelled:59 11
  scope (s) {
    spawn on(d) sleeper();
    spawn on(d2) sleeper();
    fm_cancel_after(s, 3);
  } else
    printf("scope %d\n", unwound);                // expect: scope 13
  fm_activity it = { 0 };
  auto g = spawn on(d) gives(&it);
  until(&asleep, 4);
  printf("%d %d %d\n", fm_alive(it), fm_alive(fm_id(g)), fm_cancelled(it)); // expect: 1 1 0
  fm_cancel(it);
  show(g);                                        // expect: fm_cancelled:71 14
  fm_join(it);
  printf("%d\n", fm_alive(it));                   // expect: 0
  fm_cancel(it);
  t = spawn on(d) waits_below(d2);
  until(&asleep, 5);
  fm_cancel(fm_id(t));
  show(t);                                        // expect: fm_cancelled:78 15
  race {
  case sleeper(): printf("sleeper\n"); break;
  case show(spawn on(d2) sleeper()): printf("other\n"); break;
  case fm_sleep(5): printf("race %d\n", unwound); // expect: race 17
  }
  auto q = spawn on(d) quick();
  fm_cancel(fm_id(q));                            // which it does not meet
  printf("%d\n", await q);                        // expect: 3
  t = spawn on(d) steady();
  until(&steps, 1);
  fm_pause(fm_id(t));
  int before;
  do {
    before = steps;
    fm_sleep(20);
  } while (steps != before);                      // it comes to an end
  fm_resume(fm_id(t));
  until(&steps, before + 1);
  fm_cancel(fm_id(t));
  fm_join(fm_id(t));
  int before_end = asleep;
  t = spawn on(d) sleeper();                      // the end of its domain cancels it
  auto u = spawn on(d2) waits_below(d);
  until(&asleep, before_end + 2);
  fm_domain_free(d);
  show(t);                                        // expect: fm_cancelled:0 19
  try {
    await u;
  } catch (fm_error *e) {
    printf("%s\n", fm_error_name(e));             // expect: fm_cancelled
  }
  spawn on(d2) sleeper();                         // d2 ends with main
  spawn detached on(d2) sleeper();
  fm_cancel(fm_self());
}
