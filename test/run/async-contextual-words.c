// The keywords are contextual, in async code too: members, tags, labels, and names that the program declares.
#include "parts/async.h"

struct task { int yield; struct task *run; int await; };
union atomic { int async; };
enum scope { race, shield = 5 };

static int job(int x) { return x + 1; }

static async int test(int first) {
  if (first) yield;
  struct task t = { .yield = 1, .await = 2 }, *p = &t;
  t.run = p;
  union atomic a = { .async = later(3) };
  int defer = 4, catch = race + shield;
  p->run->yield += later(10);
  goto finally;
finally:
  yield;
  {
    int throw = later(100);
    defer += throw;
  }
  return t.yield + t.await + a.async + defer + catch + job(later(1000));
}

async int main(void) {
  THREE(test);                    // expect: 1126 1126 1126
}
