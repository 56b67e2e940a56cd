// Plain code may call async functions atomically; those that wait, run what they wait for, and nothing else.
#include <fermata.h>

static async int slow(int x) {
  for (int i = 0; i < 3; i++) yield;
  return x;
}
static async int waits(int x) {
  auto t = spawn slow(x);
  auto u = spawn slow(2 * x);
  return await t + await u;
}
static async void detached(void) { printf("detached ran\n"); }

static int plain(void) {
  int n;
  atomic {
    n = slow(1);
    n += waits(2);
  }
  return n + atomic waits(10);
}

int main(void) {
  spawn detached detached();
  printf("%d\n", plain());                  // expect: 37
  printf("%d\n", run waits(3));             // expect: detached ran
                                            // expect: 9
  printf("%d\n", plain());                  // expect: 37
}
