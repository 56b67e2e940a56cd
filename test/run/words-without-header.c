// Without <fermata.h> nothing is reserved: the words are names like all others, declared or not yet.
#include <stdio.h>

int async(int), await(void);
typedef int task, job;
typedef struct scope { struct scope *race; task yield; } scope;
static task defer(job run) { return run; }
#define spawn(x) ((x) + 1)
static int shield(void) { return spawn(defer(1)); }

int async(int catch) {
  task yield = catch;
  job *throw = &yield;
  scope s = {.race = 0, .yield = *throw};
try:
  if (yield-- > 0) goto try;
  return s.yield;
}
int await(void) {
  enum { finally = 2, activate };
  int atomic = finally * activate;
  atomic += 1;
  return atomic;
}
static int run(int throws) { return throws; }
static void asyncdirect(void) { puts("asyncdirect"); }

int main(void) {
  printf("%d %d %d\n", async(3), await(), shield()); // expect: 3 7 2
  asyncdirect();                                  // expect: asyncdirect
  printf("%d\n", run(4));                         // expect: 4
  return 0;
}
