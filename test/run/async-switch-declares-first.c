// Variables that are declared in a switch before its first case are passed by: nothing is done to them there, of which a compiler could warn.
#include <fermata.h>

static async int of_body(int x) {
  switch (x) {
    int t, u;
  case 2:
    u = t = 4;
    defer printf("%d ", u);
    try { t = 7; yield; return t; } finally { printf("%d ", t); }
  }
  return 0;
}
static async int of_block(int x) {
  switch (x) {
    {
      int t;
      struct { int a[2]; } s;
    case 1:
      defer printf("%d ", t);
      t = 1;
      s.a[1] = t + 1;
      yield;
      try { yield; return s.a[1]; } finally { t = 5; }
    }
  }
  return 0;
}

async int main(void) {
  printf("%d ", of_body(2));
  printf("%d\n", of_block(1));          // expect: 7 4 7 5 2
  printf("%d ", atomic of_body(2));
  printf("%d\n", atomic of_block(1));   // expect: 7 4 7 5 2
  return 0;
}
