// Plain code runs an async function with `run`, which blocks until it is done; results of every kind come back.
#include <fermata.h>

struct big { int at[40]; const char *name; };

static async int twice(int x) {
  yield;
  return 2 * x;
}

static async struct big fill(int from) {
  struct big b = { .name = "filled" };
  for (int i = 0; i < 40; i++) {
    if (i % 13 == 0) yield;
    b.at[i] = from + i;
  }
  return b;
}

static async double half(double d) { return d / 2; }
static int count;
static async void bump(void) {
  yield;
  count++;
}

static int plain(int x) { return run twice(x) + 1; }

int main(void) {
  printf("%d\n", run twice(21));                   // expect: 42
  printf("%d\n", plain(4));                        // expect: 9
  struct big b = run fill(100);
  printf("%s %d %d\n", b.name, b.at[0], b.at[39]); // expect: filled 100 139
  printf("%g\n", run half(5));                     // expect: 2.5
  run bump();
  run bump();
  printf("%d\n", count);                           // expect: 2
  printf("%d\n", run twice(run twice(3)));         // expect: 12
}
