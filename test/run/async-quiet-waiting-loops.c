// A loop that waits for what another activity does comes to its end, though its calls are short and cannot pause.
// env: FERMATA_TICK=1
#include "parts/async.h"

static int flag, slots[4];
static async void set(void) {
  yield;
  flag = 1;
  slots[3] = 1;
}
static async int flag_set(void) { return flag; }              // reads what others change
static async int is_set(int f) { return f != 0; }             // reads its parameter alone
static async int through(const int *p) { return *p; }
static async int both(void) { return flag_set() && flag_set(); }
static async int square(int n) { return n * n; }
static async int recursive(int depth) { return flag_set() ? depth : recursive(depth < 5 ? depth + 1 : depth); }
static async void start(void) {
  flag = slots[3] = 0;
  spawn set();
}

static async void with_goto(void) {
again:
  if (!is_set(flag)) goto again;
}
static async int few_turns(void) {
  int n = 0;
  for (int i = 0; i < 2; i++)
    while (!is_set(flag)) n = 1;
  return n;
}
static async int nested(void) {
  int sum = 0;
  while (!flag)
    for (int i = 0; i < 3; i++) sum += square(i);
  return sum > 0;
}

async int main(void) {
  int n = 0, done = 0;
  start();
  while (!flag_set()) {}
  printf("reads\n");                       // expect: reads
  start();
  while (!is_set(flag)) {}
  printf("argument\n");                    // expect: argument
  start();
  while (!through(&flag)) {}
  printf("pointer\n");                     // expect: pointer
  start();
  while (!both()) {}
  printf("inside\n");                      // expect: inside
  start();
  for (;;)
    if (is_set(flag)) break;
  printf("endless\n");                     // expect: endless
  start();
  do {
  } while (!is_set(flag));
  printf("do\n");                          // expect: do
  start();
  while (!done) done = is_set(flag);
  printf("assigned\n");                    // expect: assigned
  start();
  for (done = 0; !done;)
    if (is_set(flag)) done = 1;
  printf("conditional\n");                 // expect: conditional
  start();
  for (n = 0; !is_set(flag); n++) {}
  printf("counted: %d\n", n > 0);          // expect: counted: 1
  start();
  for (n = 0; !is_set(slots[n]); n = (n + 1) % 4) {}
  printf("round: %d\n", n);                // expect: round: 3
  start();
  for (n = 0; !is_set(slots[n]); n++)
    if (n == 3) n = -1;
  printf("reset: %d\n", n);                // expect: reset: 3
  start();
  const int *p = slots;
  while (!is_set(*p)) p = p == slots + 3 ? slots : p + 1;
  printf("pointer around: %d\n", (int)(p - slots)); // expect: pointer around: 3
  start();
  for (p = slots; !is_set(*p); p++)
    if (p == slots + 2) p = flag ? p : slots;
  printf("pointer back: %d\n", (int)(p - slots)); // expect: pointer back: 3
  start();
  printf("few turns: %d\n", few_turns() < 2); // expect: few turns: 1
  start();
  with_goto();
  printf("goto\n");                        // expect: goto
  start();
  printf("nested %d\n", nested());         // expect: nested 1
  start();
  printf("recursive %d\n", recursive(0) >= 0); // expect: recursive 1
  start();
  n = 1;
  while (n < 2 || !is_set(flag)) n += n < 2;
  printf("or\n");                          // expect: or
  start();
  for (n = 100; n > 0 ? !is_set(flag) : 0; n -= is_set(flag)) {}
  printf("step %d\n", n);                  // expect: step 99
}
