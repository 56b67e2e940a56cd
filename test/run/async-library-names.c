// Async functions with the names of library functions that the C compiler knows: they are the program's own.
// warn: ok
#include "parts/async.h"

struct broken {
  int n;
};

async int index(int i);
extern async long double cbrtl(long double x) __attribute__((cold));
static async int round(int n);
static async int (*const table[])(int) = { index, round };

atomic int plain(int n) {
  return index(n) + round(n);
}

async int index(int i) {
  yield;
  return i + 1;
}

async long double cbrtl(long double x) {
  return later(3) * x;
}

static async int round(int n) {
  return n / 10 * 10 + later(0);
}

async int wcslen(void) {
  return later(7);
}

async int strtol(const char *text) throws(struct broken) {
  if (!*text)
    throw (struct broken){ 3 };
  return later(*text);
}

async int main(void) {
  printf("%d %d\n", index(1), (int)cbrtl(2)); // expect: 2 6
  printf("%d %d\n", table[0](4), table[1](45)); // expect: 5 40
  printf("%d\n", wcslen());                 // expect: 7
  printf("%d\n", plain(99));                // expect: 190
  auto t = spawn index(8);
  printf("%d\n", await t);                  // expect: 9
  try {
    printf("%d\n", strtol("a"));            // expect: 97
    printf("%d\n", strtol(""));
  } catch (struct broken b) {
    printf("broken %d\n", b.n);             // expect: broken 3
  }
  return 0;
}
