// UBSan has nothing to say about a variable of type bool that is stored at a pause where it is not
// needed any more: in a function with many pauses all of them may keep all variables.
// env: FERMATA_TICK=always
#include <fermata.h>
#include <stdio.h>
#include <string.h>

int zero;

// What it leaves on the stack is no bool.
static __attribute__((noinline)) void put(int place, int value) {
  volatile char rest[600];
  memset((void *)rest, 0xa0, sizeof rest);
  printf("%d %d\n", place, value);
}

static __attribute__((noinline)) int same(int v) {
  put(0, v);
  return v;
}

static atomic int three(int v) {
  return v;
}

static async int many(int n) {
  int a = 1;
  int b = 2;
  int c = 3;
  task(int) t = { 0 };
  bool has = false;
  put(1, n);
  if (has) {
    has = false;
    c = await t;
  }
  put(2, b);
  put(3, n);
  yield;
  if (same(a + zero))
    return three(3);
  return c < 0;
}

async int main(void) {
  task(int) t = spawn many(7);
  printf("%d\n", await t);
  return 0;
}
// expect: 1 7
// expect: 2 2
// expect: 3 7
// expect: 0 1
// expect: 3
