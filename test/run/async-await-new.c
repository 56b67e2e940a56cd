// `await spawn f(x)`: the child is made and awaited in one step. Wherever that is not the plain
// case, it is as with a task of its own.
#include "parts/async.h"
#include <fermata/sync.h>
#include <fermata/time.h>

struct bad {
  int n;
};
struct big {
  long a[40];
};
typedef fm_chan(int) channel;

static async int value(int n) { return n; }
static async int waits(int n) { return later(n) + later(1); }
static async int fails(int n) throws(struct bad) {
  later(1);
  throw(struct bad){ n };
}
static async struct big large(int n) {
  struct big b = { { n } };
  struct big *p = &b;
  p->a[39] = later(n);
  return b;
}
static async void nothing(int *p) { *p += later(1); }

// its first pause, in the call version; then in the resume version; and in a loop
static async int steps(int n) {
  int sum = await spawn value(n);
  sum += await spawn waits(n);
  for (int i = 0; i < 3; i++)
    sum += await (spawn value(i)) * 10;
  return sum;
}
static async int nested(int n) { return n ? 1 + await spawn nested(n - 1) : 0; }

static async int caught(int n) {
  int sum = 0;
  try {
    sum = await spawn fails(n);
  } catch (struct bad b) {
    sum = -b.n;
  }
  return sum;
}
static async int scoped(int n) {
  int sum = 0;
  scope {
    sum += await spawn value(n);
    scope { sum += await spawn waits(n); }
    shield { sum += await spawn value(n); }
    sum += await spawn value(n);
  }
  return sum;
}
// the cancel has come before: the child is made, and unwinds with its parent
static int begun, ended;
static async void child(void) {
  begun++;
  defer ended++;
  fm_sleep(1);
  begun += 100;
}
static async void late(void) {
  fm_cancel(fm_self());
  await spawn child();
  begun += 1000;
}
static async void blocked(channel *c) throws(struct fm_closed) {
  defer ended += 10;
  await spawn child();
  fm_send(c, 1);
}
// others are ready: each goes on in its turn
static char order[64];
static int at;
static async void writes(char c) {
  for (int i = 0; i < 3; i++) {
    order[at++] = c;
    await spawn value(0);
  }
}

async int main(void) {
  int n = 0;
  channel c;
  printf("%d %d\n", steps(5), nested(3000));                          // expect: 41 3000
  int steps_of_task = await spawn steps(1);
  await spawn nothing(&n);
  await spawn nothing(&n);
  struct big b = await spawn large(6);
  printf("%d %d %ld %ld\n", steps_of_task, n, b.a[0], b.a[39]);       // expect: 33 2 6 6
  printf("%d %d\n", caught(4), scoped(2));                            // expect: -4 9
  try {
    (void)await spawn fails(9);
  } catch (struct bad bad) {
    printf("%d\n", bad.n);                                            // expect: 9
  }
  auto t = spawn late();
  fm_join(fm_id(t));
  fm_detach(t);
  printf("%d\n", begun < 100);                                        // expect: 1
  fm_chan_init(&c, 0);
  auto u = spawn blocked(&c);
  yield;
  yield;
  ended = 0;
  fm_cancel(fm_id(u));
  fm_join(fm_id(u));
  printf("%d %d\n", ended, begun < 100);                              // expect: 11 1
  auto x = spawn writes('x');
  auto y = spawn writes('y');
  await x, await y;
  printf("%s\n", order);                                              // expect: xyxyxy
  atomic printf("%d\n", await spawn waits(3));                        // expect: 4
}
