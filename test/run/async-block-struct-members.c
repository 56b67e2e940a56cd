// Members of a struct that is declared inside an async function: pointers to async functions, tasks, jobs; static and nested, too.
#include "parts/async.h"

async static int twice(int v) { yield; return 2 * v; }

async int main(void) {
  struct work { async int (*f)(int); task(int) t; job(int) j; struct { async int (*g)(int); } in; } w = {.f = twice, .in = {later}};
  static const struct { const char *name; async int (*f)(int); } table[] = {{"twice", twice}, {"later", later}};
  w.t = spawn twice(4);
  w.j = job twice(5);
  printf("%d %d %d %d\n", w.f(3), await w.t, await w.j, w.in.g(6)); // expect: 6 8 10 6
  fm_job_free(w.j);
  for (int i = 0; i < 2; i++) printf("%s %d\n", table[i].name, table[i].f(7));
  // expect: twice 14
  // expect: later 7
}
