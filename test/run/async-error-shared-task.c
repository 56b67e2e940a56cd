// Each of those that wait for a task is thrown its error; the value is there for all of them.
#include "parts/async.h"

struct bad { int v[50]; };
static async int fail(void) throws(struct bad) { yield; yield; throw (struct bad){{[49] = 8}}; }
static async int waiter(task(int) throws(struct bad) t, int n) {
  try { return await t; }
  catch (struct bad e) { yield; return e.v[49] + n; }
}
async int main(void) {
  auto t = spawn fail();
  auto a = spawn waiter(fm_share(t), 10), b = spawn waiter(fm_share(t), 20);
  int c = 0;
  try { c = await t; } catch (struct bad e) { c = e.v[49]; }
  int x = await a, y = await b;
  printf("%d %d %d\n", x, y, c);  // expect: 18 28 8
}
