// An error thrown in finally or defer takes the place of the one on its way; a return or a jump is given up for it.
#include "parts/async.h"

struct a { int v; };
struct b { int v; };
static async int leave(int n) throws(struct a, struct b) {
  for (int i = 0; i < 1; i++) {
    defer { if (n & 1) { yield; throw (struct b){i + n}; } }
    try {
      yield;
      if (n & 2) throw (struct a){n};
      if (n & 4) return 50;
      if (n & 8) continue;
    } finally { if (n & 16) throw (struct b){100 + n}; }
  }
  return 60;
}

async int main(void) {
  for (int n = 0; n < 32; n++) {
    if ((n & 6) == 6 || (n & 10) == 10 || (n & 12) == 12) continue;
    try { printf("%d:%d ", n, leave(n)); }
    catch (struct a e) { printf("%d:a%d ", n, e.v); }
    catch (struct b e) { printf("%d:b%d ", n, e.v); }
  }
  puts("");  // expect: 0:60 1:b1 2:a2 3:b3 4:50 5:b5 8:60 9:b9 16:b116 17:b17 18:b118 19:b19 20:b120 21:b21 24:b124 25:b25 
}
