// With <fermata.h> the dialect's words still name what the program declares: C code keeps compiling.
// flags: -Wno-gnu-designator
#include <fermata.h>

static int yield = 1;
static int atomic(int race) { return race + 1; }
struct task { int await, spawn; struct task *job; };
enum scope { try = 3, catch, finally };
typedef struct { int defer; } shield;
union throw { int throws; float activate; };
static int run(int async) { return async * 2; }
static const struct task table[] = {{.await = 1, .spawn = 2}, {await: 3, spawn: 4}};
extern int asyncdirect;
int asyncdirect = 12;

static int locals(int job) {
  int async = 1, *await = &async, spawn[2] = {2, 3};
  *await += spawn[1] + job;
  for (int throw = 0; throw < 2; throw++) async += throw;
  { int defer; defer = 5; async += defer; }
  return async;
}
static int labels(int n) {
  int r = 0;
race:
  r++;
  if (r < n) goto race;
await: spawn: job:
  if (r++ < 10) goto await;
  if (r < 0) goto spawn;
  if (r < 0) goto job;
  return r;
}
static int parameters(int async, int *await, struct task spawn, int (*activate)(int)) {
  return async + *await + spawn.spawn + activate(1);
}
static int ahead(int defer, int shield[defer]) { return shield[defer - 1]; }
static int members(struct task *task) { return task->await + task->job->spawn + (*task).job->job->await; }
static int types(void) {
  struct job { int job; } job = {.job = 4};
  typedef int activate;
  activate throws = 5;
  enum { race = 6 };
  shield s = {7};
  return job.job + throws + race + s.defer + (int)sizeof(struct job) + (int)sizeof(activate);
}
static int hidden(void) {
  int n = yield;
  yield = 5;
  yield++;
  return n + yield;
}
static int old(await, spawn) int await, spawn; { return await - spawn; }

int main(void) {
  struct task a = {1, 2, 0}, b = {3, 4, &a};
  a.job = &b;
  int seven[] = {5, 6, 7};
  printf("%d %d\n", atomic(1), run(4));           // expect: 2 8
  printf("%d\n", locals(10));                     // expect: 20
  printf("%d\n", labels(4));                      // expect: 11
  printf("%d\n", parameters(1, &a.await, b, atomic)); // expect: 8
  printf("%d\n", members(&b));                    // expect: 8
  printf("%d\n", types());                        // expect: 30
  printf("%d\n", hidden());                       // expect: 7
  printf("%d %d\n", old(9, 4), ahead(3, seven));  // expect: 5 7
  printf("%d %d %d %d\n", try, catch, finally, asyncdirect); // expect: 3 4 5 12
  printf("%d %zu\n", table[1].spawn, offsetof(struct task, spawn)); // expect: 4 4
  union throw u = {.throws = 9};
  printf("%d %d\n", u.throws, (int)sizeof(enum scope)); // expect: 9 4
  return 0;
}
