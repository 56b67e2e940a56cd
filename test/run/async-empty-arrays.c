// Structures and arrays without elements, kept across pauses.
#include <fermata.h>

struct header { int n; char data[0]; };
async int echo(int x) { yield; return x; }

static async int empty(int i) {
  struct { int a[0]; } z;
  struct { struct { } e; int after; } first = {.after = i};
  struct header h = {.n = echo(1)};
  int none[0];
  yield;
  for (int k = 0; k < 2; k++) {
    struct { long a[0]; int b; } mixed = {.b = k};
    yield;
    first.after += mixed.b;
  }
  return (int)(sizeof z + sizeof none) + first.after + h.n;
}

async int main(void) {
  printf("%d\n", empty(3));                       // expect: 5
  return 0;
}
