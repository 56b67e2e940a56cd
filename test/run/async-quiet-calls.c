// Calls of async functions that cannot pause stand in expressions like any call, beside others that pause.
// env: FERMATA_TICK=always
#include "parts/async.h"
#include <fermata/time.h>

typedef struct pair { int a, b; } pair;
static int trace;

static async int add(int a, int b) { return a + b; }
static async int pausing(int n) { yield; return n; }
static async pair make(int a, int b) { return (pair){ a, b }; }
static async void note(int n) { trace = trace * 10 + n; }
static async int sum(const int *v, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s = add(s, v[i]);
  return s;
}
static async int twice(int n);
static async int even(int n);
static async int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static async int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static async int uses_later(int n) { return twice(n) + 1; }
static async int twice(int n) { return add(n, n); }
static __attribute__((noinline)) async int apart(int n) { return n ^ 5; }
static inline async int small(int n) { return n + 7; }
static async int counts(void) { static int n; return ++n; }
static async int choose(int n) {
  switch (add(n, 1)) {
  case 1: return 10;
  case 2: return add(n, 20);
  default: break;
  }
  return -1;
}
async int global(int n) { return n * 3; }
__attribute__((weak)) async int weak(int n) { return n * 5; }
static async int (*const table[])(int) = { twice, apart, global };
struct bad { int n; };
static async int throwing(int n) throws(struct bad) {
  if (n > 2) throw (struct bad){ n };
  return n;
}

async int main(void) {
  int v[] = { 1, 2, 3 }, n = 4;
  printf("%d %d\n", sum(v, 3), sum(v + 1, add(1, 1)));                // expect: 6 5
  printf("%d\n", add(pausing(1), add(2, pausing(3))));                // expect: 6
  printf("%d\n", add(1, 2) * pausing(5) - add(pausing(2), 1));        // expect: 12
  printf("%d\n", make(3, 4).b + pausing(make(5, 6).a));               // expect: 9
  if (add(n, 1) == 5 && pausing(1)) note(1);
  if (pausing(0) || add(n, -4) == 0) note(2);
  while (add(n, 0) > 0) n -= add(pausing(1), 1);
  for (int i = add(0, 0); add(i, 1) < 4; i = add(i, 1)) note(3 + i);
  printf("%d %d\n", trace, n);                                        // expect: 12345 0
  printf("%d %d\n", even(10), odd(7));                                // expect: 1 1
  printf("%d %d %d\n", uses_later(4), apart(1), small(1));            // expect: 9 4 8
  printf("%d %d\n", counts(), counts() + add(counts(), 0) > 4);       // expect: 1 1
  printf("%d %d %d\n", choose(0), choose(1), choose(2));              // expect: 10 21 -1
  printf("%d %d\n", global(2), weak(2));                              // expect: 6 10
  for (int i = 0; i < 3; i++) printf("%d", table[i](2));
  printf("\n");                                                       // expect: 476
  auto t = spawn add(20, 1);
  printf("%d %d %d\n", await t, await add(1, 2), atomic add(4, 5));   // expect: 21 3 9
  int r = 0;
  race {
  case r = add(30, 1): break;
  case fm_sleep(1000): break;
  }
  job(int) j = job add(r, 1);
  printf("%d %d\n", r, await j);                                      // expect: 31 32
  fm_job_free(j);
  try {
    printf("%d\n", add(throwing(2), 1));                              // expect: 3
    printf("%d\n", add(throwing(3), 1));
  } catch (struct bad e) {
    printf("bad %d\n", add(e.n, 1));                                  // expect: bad 4
  }
  int w[add(2, pausing(1))];
  printf("%d\n", (int)(sizeof w / sizeof *w));                        // expect: 3
  printf("%d\n", ({ int k = add(1, 1); pausing(k) + add(k, k); }));   // expect: 6
}
