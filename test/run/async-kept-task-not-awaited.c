// A kept task that no one awaits is cleaned up with its parent, whether it ends before its parent or after.
#include "parts/async.h"

struct big { int a[100]; };
static async struct big make(int n) {
  struct big b = { { n } };
  for (int i = 0; i < n; i++) yield;
  return b;
}

static async void parent(int n) {
  task(struct big) t[3];
  for (int i = 0; i < 3; i++) t[i] = spawn make(i * n);
  printf("%d\n", (await t[1]).a[0]);
}

async int main(void) {
  parent(2);                      // expect: 2
  auto p = spawn parent(3);
  await p;                        // expect: 3
  atomic parent(4);               // expect: 4
  for (int i = 0; i < 1000; i++) {
    auto t = spawn make(0);
    if (i % 2) await t;
  }
  printf("end\n");                // expect: end
}
