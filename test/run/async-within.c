// fm_within: a time limit for any call, as an expression.
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/sync.h>
#include <fermata/time.h>

typedef fm_chan(int) chan;
struct pair {
  int a, b;
};
static async int slow(int ms) {
  defer printf("left %d\n", ms);
  fm_sleep((uint64_t)ms);
  return ms;
}
static async void nothing(int ms) { fm_sleep((uint64_t)ms); }
static async struct pair both(int ms) {
  fm_sleep((uint64_t)ms);
  return (struct pair){ ms, ms + 1 };
}
static async int fails(void) throws(struct os_error) {
  fm_sleep(1);
  throw (struct os_error){ 5 };
}
static async int tidies(void) {
  try {
    fm_sleep(100);
  } finally {
    fm_sleep(7);
    printf("tidied\n");
  }
  return 0;
}
static async int family(void) {
  for (int i = 1; i < 3; i++) spawn slow(20 * i);
  return 3;
}
static async int nested(int inner, int outer) throws(struct fm_timeout) {
  try {
    return fm_within(outer, fm_within(inner, slow(50)) + 1);
  } catch (struct fm_timeout e) {
    printf("%d ms were too little\n", (int)e.ms);
    throw;
  }
}
static async int limited(chan *c) throws(struct fm_timeout, struct fm_closed) {
  return fm_within(5, fm_recv(c));
}

async int main(void) {
  try {
    int n = fm_within(10, slow(5)) + fm_within(10, slow(6));  // expect: left 5
    printf("%d\n", n);                                        // expect: left 6
    // expect: 11
    fm_within(10, nothing(3));
    struct pair p = fm_within(10, both(3));
    printf("%d %d\n", p.a, p.b);                              // expect: 3 4
    if (fm_within(10, slow(2)) == 2) printf("yes\n");         // expect: left 2
    // expect: yes
    n = fm_within(10, fails());
  } catch (struct fm_timeout e) {
    printf("no\n");
  } catch (struct os_error e) {
    printf("failed %d\n", e.code);                            // expect: failed 5
  }
  uint64_t before = fm_now();
  try {
    fm_within(10, slow(20));                                  // expect: left 20
    printf("no\n");
  } catch (struct fm_timeout e) {
    printf("%d, after %d\n", (int)e.ms, (int)((fm_now() - before) / 1000000));  // expect: 10, after 10
  }
  try {
    fm_within(10, tidies());                                  // expect: tidied
  } catch (fm_error *e) {
    printf("%s at line %d\n", fm_error_name(e), fm_error_line(e));  // expect: fm_timeout at line 74
  }
  try {
    nested(5, 100);
  } catch (struct fm_timeout e) {
  }
  // expect: left 50
  // expect: 5 ms were too little
  try {
    nested(100, 6);
  } catch (struct fm_timeout e) {
  }
  // expect: left 50
  // expect: 6 ms were too little
  chan c;
  fm_chan_init(&c, 1);
  try {
    fm_send(&c, 8);
    printf("%d\n", limited(&c));                              // expect: 8
    printf("%d\n", limited(&c));
  } catch (struct fm_closed e) {
  } catch (struct fm_timeout e) {
    printf("nothing received, %zu there\n", fm_chan_count(&c));  // expect: nothing received, 0 there
  }
  scope (s) {                                                 // a cancel from above unwinds on
    fm_deadline(s, 4);
    try {
      fm_within(10, slow(20));                                // expect: left 20
    } catch (struct fm_timeout e) {
      printf("no\n");
    }
    printf("no\n");
  } else {
    printf("cancelled\n");                                    // expect: cancelled
  }
  try {
    int n = atomic fm_within(10, slow(4));                    // expect: left 4
    printf("%d\n", n);                                        // expect: 4
    n = fm_within(100, family());                             // expect: left 20
    printf("%d\n", n);                                        // expect: left 40
    // expect: 3
  } catch (struct fm_timeout e) {
    printf("no\n");
  }
  for (int i = 0; i < 3; i++) {                               // in a condition, in a loop
    try {
      while (fm_within((uint64_t)(10 * i), slow(5 + i)) > 100) printf("no\n");
    } catch (struct fm_timeout e) {
      printf("late in turn %d\n", i);                         // expect: left 5
      continue;                                               // expect: late in turn 0
    }
    printf("in time in turn %d\n", i);
  }
  // expect: left 6
  // expect: in time in turn 1
  // expect: left 7
  // expect: in time in turn 2
  return 0;
}
