// Timers, in virtual time: nanoseconds for one sleep. `one`: one after the other; `many`: 10^6
// activities asleep at once, each for a length of its own, with making and ending them; `busy`: a
// switch (yield, two activities) while a timer is set. real_…: in a function of thirty lines with a
// dozen pauses.
#include <fermata.h>
#include <fermata/time.h>

#include "../clock.h"
#include <stdlib.h>

enum { ONE = 100000, MANY = 1000000, CHUNKS = 20, FEW_CHUNKS = 3 };

static int woken;

async static void sleeper(unsigned ms) {
  fm_sleep(ms);
  woken++;
}

async static void one(int n) {
  for (int i = 0; i < n; i++)
    fm_sleep(1);
}

async static void many(int n) {
  unsigned x = 1;
  for (int i = 0; i < n; i++) {
    x = x * 1664525u + 1013904223u;
    spawn sleeper(1 + (x >> 8) % 100000);
  }
}

async static void bouncer(int n) {
  for (int i = 0; i < n; i++)
    yield;
}

async static void busy(int n) {
  auto timer = spawn fm_sleep(1);
  auto a = spawn bouncer(n);
  auto b = spawn bouncer(n);
  await a, await b, await timer;
}

// ---- the same in functions as people write them: thirty lines, a dozen pauses ----
struct refused {
  int at;
};
int stopped, busy_ones, most = 1 << 30; // not static: no compiler can know that these seldom change

static int checked(int i) throws(struct refused) {
  if (i < 0)
    throw (struct refused){ i };
  return i;
}

// Asks n times, `ms` apart; waits longer after a failure.
async static void poller(int n, unsigned ms) {
  int done = 0, tries = 0;
  busy_ones++;
  defer busy_ones--;
  try {
    if (stopped) {
      yield;
      fm_sleep(ms);
    }
    for (int i = 0; i < n; i++) {
      fm_sleep(ms);
      done += checked(1);
      while (stopped) {
        if (++tries > 100)
          throw (struct refused){ i };
        fm_sleep(ms << tries);
        yield;
      }
      if (done > most) {
        yield;
        fm_sleep(1);
        done = 0;
        yield;
      }
    }
    if (tries > 0) {
      yield;
      fm_sleep(1);
      yield;
    }
  } catch (struct refused e) {
    done = e.at;
    fm_sleep(1);
  }
  woken += done == n;
}

async static void real_one(int n) {
  poller(n, 1);
}

async static void real_many(int n) {
  unsigned x = 1;
  for (int i = 0; i < n; i++) {
    x = x * 1664525u + 1013904223u;
    spawn poller(1, 1 + (x >> 8) % 100000);
  }
}

static void measure(const char *name, async void (*f)(int), int n, int each, int times) {
  double best = 0;
  for (int k = 0; k < times; k++) {
    double start = now();
    run f(n);
    keep_best(&best, (now() - start) / each);
  }
  printf("%s %.2f\n", name, best);
}

int main(void) {
  setenv("FERMATA_DRIVER", "virtual", 1);
  measure("one", one, ONE, ONE, chunks(CHUNKS));
  measure("many", many, MANY, MANY, chunks(FEW_CHUNKS));
  measure("busy", busy, ONE, 2 * ONE, chunks(CHUNKS));
  measure("real_one", real_one, ONE, ONE, chunks(CHUNKS));
  measure("real_many", real_many, MANY, MANY, chunks(FEW_CHUNKS));
  if (woken != 2 * MANY * chunks(FEW_CHUNKS) + chunks(CHUNKS) || busy_ones != 0)
    abort();
  return 0;
}
