// `now detached contained in on` before a parenthesis or elsewhere than after spawn are the program's own names.
#include "parts/async.h"

static async int now(int x) { return later(x) + 1; }
static async int detached(int x) { return x + 2; }
static async int contained(int x) { return x + 3; }
static async int on(int x) { return x + 4; }
struct in { int on; };

async int main(void) {
  auto a = spawn now(1);
  auto b = spawn now now(10);
  auto c = spawn detached(100);
  auto d = spawn contained(1000);
  auto e = spawn on(10000);
  struct in in = { .on = 5 };
  printf("%d %d %d %d %d %d\n", await a, await b, await c, await d, await e, in.on); // expect: 2 11 102 1003 10004 5
}
