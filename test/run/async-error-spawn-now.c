// A child that throws before its first pause: in `spawn now`, `spawn` and a task awaited later the error is kept until it is awaited.
#include "parts/async.h"

struct bad { int v; };
static async int fail(int n) throws(struct bad) { throw (struct bad){n}; }
async int main(void) {
  auto a = spawn now fail(1);
  auto b = spawn fail(2);
  yield;
  puts("both have ended");        // expect: both have ended
  try { await b; } catch (struct bad e) { printf("%d\n", e.v); } // expect: 2
  try { await a; } catch (struct bad e) { printf("%d\n", e.v); } // expect: 1
}
