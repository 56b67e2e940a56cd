// Throwing calls in the middle of expressions: what stands behind them is not evaluated, what stands before is.
#include "parts/async.h"

struct bad { int v; };
static int calls;
static async int a(int n) throws(struct bad) { calls = calls * 10 + n; if (n > 5) throw (struct bad){n}; return n; }
static int p(int n) throws(struct bad) { calls = calls * 10 + n; if (n > 5) throw (struct bad){n}; return n; }
static int three(int x, int y, int z) { return x * 100 + y * 10 + z; }
#define TRY(...) do { calls = 0; int r_ = -1; try { r_ = (__VA_ARGS__); } catch (struct bad k) { r_ = -k.v; } printf("%d %d\n", calls, r_); } while (0)

async int main(void) {
  TRY(a(1) + a(6) + a(2));        // expect: 16 -6
  TRY(three(a(1), p(7), a(2)));   // expect: 17 -7
  TRY(a(0) && a(6));              // expect: 0 0
  TRY(a(1) || a(6));              // expect: 1 1
  TRY(a(1) && p(6));              // expect: 16 -6
  TRY(a(1) ? a(2) : a(6));        // expect: 12 2
  TRY(a(0) ? p(2) : p(6));        // expect: 6 -6
  TRY((a(1), a(8), a(2)));        // expect: 18 -8
  TRY((int[3]){a(1), p(2), a(9)}[1]); // expect: 129 -9
  TRY(({ int x = a(3); x += p(6); x; })); // expect: 36 -6
  int v[10] = {0};
  TRY(v[a(4)] = a(5));            // expect: 45 5
  TRY(v[a(4)]++ + v[p(7)]++);     // expect: 47 -7
  printf("%d\n", v[4]);           // expect: 5
}
