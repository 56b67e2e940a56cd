// An unchecked error (fm_cancelled, fm_deadlock) leaves functions without `throws` in atomic code as
// it does elsewhere: through calls, pointers, recursion, tail calls and cleanups, to the next catch.
// env: FERMATA_TICK=off
#include <fermata.h>
#include <fermata/sync.h>

struct bad {
  int v;
};

static async void forever(void) {
  for (;;)
    yield;
}

static async int waits(void) {
  auto t = spawn forever();
  fm_cancel(fm_id(t));
  await t;
  return 1;
}

static async int through(int n) {
  defer printf("deferred %d\n", n);
  int k = waits();
  puts("not reached");
  return k + n;
}

static async int may_fail(int n) throws(struct bad) {
  if (n < 0)
    throw (struct bad){ n };
  return through(n) + 1;
}

static async int tail(int n) { return through(n); }
static async int late(int n);
static async int calls_late(int n) { return 1 + late(n); }
static async int late(int n) { return n ? 1 + late(n - 1) : waits(); }
static async int steady(int n) { return n ? 1 + steady(n - 1) : 0; }
static async int (*pointer)(int) = through;

static async void shares(void) {
  int n = 3;
  activate {
    n = waits();
  }
  yield;
  printf("shared %d\n", n); // its error comes at the end of the block
}

static async int in_scope(void) {
  scope (s) {
    (void)s;
    spawn waits();
  }
  puts("not reached");
  return 1;
}

static async int in_race(void) {
  int v = 0;
  race {
  case v = waits():
    puts("not reached");
  }
  return v;
}

static async int recovers(void) {
  try {
    waits();
  } catch (struct fm_cancelled e) {
    return e.line;
  }
  return 0;
}

static async void stuck(fm_sem *s) {
  fm_sem_wait(s);
}

static async int deadlocks(void) {
  fm_sem s;
  fm_sem_init(&s, 0);
  auto t = spawn stuck(&s);
  await t;
  puts("not reached");
  return 1;
}

static int from_plain(int n) {
  try {
    return atomic through(n);
  } catch (struct fm_cancelled e) {
    printf("plain: ");
    return e.line;
  }
}

atomic int whole(int n) {
  try {
    return through(n);
  } catch (struct fm_cancelled e) {
    printf("atomic function: ");
    return e.line;
  }
}

// one in which nothing throws, and one that throws something else
#define CANCELLED(e)                                                                               \
  try {                                                                                            \
    atomic e;                                                                                      \
    puts("nothing thrown");                                                                        \
  } catch (struct fm_cancelled c) {                                                                \
    printf("cancelled %d\n", c.line);                                                              \
  } catch (struct bad b) {                                                                         \
    printf("bad %d\n", b.v);                                                                       \
  }

async int main(void) {
  try {
    waits();
  } catch (struct fm_cancelled e) {
    printf("cancelled %d\n", e.line);            // expect: cancelled 18
  }
  CANCELLED(waits());                            // expect: cancelled 18
  CANCELLED(through(1));                         // expect: deferred 1
                                                 // expect: cancelled 18
  CANCELLED(may_fail(2));                        // expect: deferred 2
                                                 // expect: cancelled 18
  CANCELLED(may_fail(-1));                       // expect: bad -1
  CANCELLED(tail(3));                            // expect: deferred 3
                                                 // expect: cancelled 18
  CANCELLED(calls_late(3));                      // expect: cancelled 18
  CANCELLED(steady(3));                          // expect: nothing thrown
  CANCELLED(pointer(4));                         // expect: deferred 4
                                                 // expect: cancelled 18
  CANCELLED(shares());                           // expect: shared 3
                                                 // expect: cancelled 18
  CANCELLED(in_scope());                         // expect: cancelled 18
  CANCELLED(in_race());                          // expect: cancelled 18
  CANCELLED({ printf("sum %d\n", steady(2) + through(5)); }) // expect: deferred 5
                                                 // expect: cancelled 18
  printf("%d\n", atomic recovers());             // expect: 18
  printf("%d\n", from_plain(6));                 // expect: deferred 6
                                                 // expect: plain: 18
  printf("%d\n", whole(7));                      // expect: deferred 7
                                                 // expect: atomic function: 18
  try {
    atomic deadlocks();
  } catch (struct fm_deadlock d) {
    (void)d;
    puts("deadlock");                            // expect: deadlock
  }
  atomic through(8); // expect: deferred 8
  puts("not reached");
  // status: 1
}
