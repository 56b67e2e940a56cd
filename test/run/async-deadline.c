// fm_deadline, fm_no_deadline, fm_time_left.
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

static long left(fm_activity s) {
  uint64_t ms = fm_time_left(s);
  return ms == UINT64_MAX ? -1 : (long)ms;
}
static async void child(fm_activity outer) {
  printf("child %ld %ld\n", left(fm_self()), left(outer));
  fm_sleep(1000);
}

async int main(void) {
  printf("%ld\n", left(fm_self()));             // expect: -1
  uint64_t begin = fm_now();
  scope (s) {
    printf("%ld\n", left(s));                   // expect: -1
    fm_deadline(s, 10);
    printf("%ld\n", left(s));                   // expect: 10
    fm_sleep(6);
    printf("%ld\n", left(s));                   // expect: 4
    fm_deadline(s, 20);                         // moved
    fm_sleep(10);
    printf("%ld\n", left(s));                   // expect: 10
    fm_no_deadline(s);
    printf("%ld\n", left(s));                   // expect: -1
    fm_sleep(100);
    fm_cancel_after(s, 50);                     // one more, which cannot be moved
    fm_deadline(s, 60);
    fm_no_deadline(s);
    fm_deadline(s, 70);
    printf("%ld\n", left(s));                   // expect: 50
    scope (inner) {
      fm_deadline(inner, 90);
      printf("%ld\n", left(inner));             // expect: 50
      fm_deadline(inner, 30);
      printf("%ld\n", left(inner));             // expect: 30
      spawn child(s);                           // expect: child 30 50
      fm_sleep(1000);
    } else {
      printf("inner, %ld\n", left(s));          // expect: inner, 20
    }
    fm_deadline(s, 5);
    fm_sleep(1000);
    printf("no\n");
  } else {
    printf("%d ms\n", (int)((fm_now() - begin) / 1000000));  // expect: 151 ms
  }
  fm_activity gone;
  scope (s) gone = s;
  fm_deadline(gone, 1);                         // ended: no effect
  fm_no_deadline(gone);
  printf("%ld\n", left(gone));                  // expect: -1
  scope (s) {                                   // in the past: the next wait meets it
    fm_deadline(s, 0);
    fm_sleep(1);
    printf("no\n");
  }
  auto t = spawn child(fm_self());
  fm_cancel_after(fm_id(t), 40);
  yield;                                        // expect: child 40 -1
  fm_cancel(fm_id(t));
  return 0;
}
