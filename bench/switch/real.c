// Two activities that yield to each other, as in language.c, in a function as people write it: a
// worker of some thirty lines with a dozen pauses, of which the loop usually reaches one.
#include <fermata.h>
#include <fermata/sync.h>

#include "../clock.h"
#include <stdlib.h>

enum { N = 100000, CHUNKS = 300, MORE = 1 << 15 };

typedef fm_chan(int) int_chan;
struct broken {
  int part;
};

// Not static: no compiler can know that these seldom change.
int_chan orders, parts;
int stopped, running, limit = N + 1;

static int checked(int part) throws(struct broken) {
  if (part < 0)
    throw(struct broken){ part };
  return part;
}

async static int worker(int id, int n) {
  int done = 0, store = 0, tries = 0;
  running++;
  defer running--;
  try {
    yield;
    fm_send(&orders, MORE);
    store = checked(fm_recv(&parts));
    for (int i = 0; i < n; i++) {
      yield;
      if (store-- == 0) {
        fm_send(&orders, MORE);
        store = checked(fm_recv(&parts)) - 1;
      }
      while (stopped) {
        if (++tries > 100)
          throw(struct broken){ id };
        yield;
        yield;
      }
      if (i > limit) {
        fm_send(&orders, i);
        limit += fm_recv(&parts);
        yield;
      }
      done++;
    }
    yield;
    fm_send(&orders, 0);
  } catch (struct broken e) {
    done = e.part;
  } catch (struct fm_closed e) {
    done = -1;
  }
  return done;
}

async static void store(int workers) throws(struct fm_closed) {
  while (workers > 0) {
    int n = fm_recv(&orders);
    if (n > 0)
      fm_send(&parts, n);
    else
      workers--;
  }
}

async static int chunk(int n) throws(struct fm_closed) {
  int done = 0;
  fm_chan_init(&orders, 0);
  fm_chan_init(&parts, 0);
  scope {
    spawn store(2);
    auto a = spawn worker(1, n);
    auto b = spawn worker(2, n);
    done = await a + await b;
  }
  return done;
}

static double time_of(int n) {
  double start = now();
  int done = 0;
  try {
    done = run chunk(n);
  } catch (struct fm_closed e) {
    (void)e;
  }
  if (done != 2 * n || running != 0)
    abort();
  return (now() - start) / 2 / n;
}

int main(void) {
  double best = 0;
  for (int k = 0; k < chunks(CHUNKS); k++)
    keep_best(&best, time_of(N));
  printf("switch %.2f\n", best);
  return 0;
}
