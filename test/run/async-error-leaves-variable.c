// x = f() where f throws leaves x as it was: for the handler and behind it.
#include "parts/async.h"

struct bad { int v; };
struct big { int a[20]; };
static async int fail(int n) throws(struct bad) { if (n > 1) yield; throw (struct bad){n}; }
static async struct big fail_big(int n) throws(struct bad) { if (n > 1) yield; throw (struct bad){n}; }
static int plain_fail(int n) throws(struct bad) { throw (struct bad){n}; }

static async int test(int first) {
  if (first) yield;
  int x = 1, y = 2, z[2] = {3, 4}, sum = 0;
  struct big b = {{5}};
  struct { unsigned f : 5; } bits = {6};
  for (int n = 1; n < 3; n++) {
    try { x = fail(n); } catch (struct bad e) { sum += x * 10 + e.v; }
    try { y += fail(n) + 1; } catch (struct bad e) { sum += y * 10 + e.v; }
    try { z[fail(n)] = 9; } catch (struct bad e) { sum += z[1] * 10 + e.v; }
    try { b = fail_big(n); } catch (struct bad e) { sum += b.a[0] * 10 + e.v; }
    try { bits.f = (unsigned)fail(n) & 3; } catch (struct bad e) { sum += (int)bits.f * 10 + e.v; }
    try { x = plain_fail(n); } catch (struct bad e) { sum += x * 10 + e.v; }
    try { x++, y = fail(n), x++; } catch (struct bad e) { sum += x * 10 + e.v; x--; }
  }
  return sum * 1000 + x * 100 + y * 10 + z[1] + b.a[0] + (int)bits.f;
}

async int main(void) {
  THREE(test);                    // expect: 441135 441135 441135
}
