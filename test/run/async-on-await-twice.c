// Awaiting a task of another domain whose handle is used up is a mistake, as it is at home: the program ends with a message.
// status: 1
#include "parts/async.h"
#include <fermata/pool.h>

static async int takes_twice(task(int) t) {
  int first = await t;
  printf("%d\n", first);                          // expect: 5
  fflush(stdout);
  return await t;
}

async int main(void) {
  fm_domain *d = fm_domain_new(NULL);
  auto t = spawn later(5);
  auto u = spawn on(d) takes_twice(t);
  printf("%d\n", await u);
}
