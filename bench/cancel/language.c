// Cancel: what it costs to be cancellable, and to be cancelled.
//
// Waits look at no flag of their own for that: `waits` of an activity says both what it waits for
// and that it is to unwind. So there is no program without cancellation to compare with; what is
// compared is the same wait where it can be cancelled by more: as it stands (`plain_…`), and inside
// a scope inside a scope (`…`), the identities of which are known elsewhere. (A deadline would be
// one more timer, which is not the question.) Both take turns, chunk by chunk, in one program.
// Nanoseconds for one wait:
//     yield   two activities that yield        await   a task that has to be waited for        sleep   in virtual time
//     real_…  the same in a function of thirty lines with a dozen pauses
//
// `tree_N`: nanoseconds for one of N activities to be cancelled, blocked in a sleep, 1000 to a
// parent: from fm_cancel to the end of the last. Linear: the figure stays the same, but for what
// memory costs.
#include <fermata.h>
#include <fermata/time.h>

#include "../clock.h"
#include <stdlib.h>

enum { N = 100000, CHUNKS = 41, BRANCH = 1000 };

// ---- waits ----
async static void bouncer(int n) {
  for (int i = 0; i < n; i++) yield;
}

async static int value_of(int v) {
  yield;
  return v;
}

async static void yields(int n) {
  auto t = spawn bouncer(n);
  for (int i = 0; i < n; i++) yield;
  await t;
}

async static void awaits(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    auto t = spawn value_of(1);
    sum += await t;
  }
  if (sum != n) abort();
}

async static void sleeps(int n) {
  for (int i = 0; i < n; i++) fm_sleep(1);
}

// ---- the same in functions as people write them ----
struct refused {
  int at;
};
int stopped, busy, most = 1 << 30; // not static: no compiler can know that these seldom change

static int checked(int i) throws(struct refused) {
  if (i < 0) throw (struct refused){ i };
  return i;
}

// begin and end: before and after the loop; wait: what is measured; value: 1, after the wait. It is
// text, because a function would have pauses of its own.
#define REAL(name, begin, wait, value, end)                    \
  async static void name(int n) {                              \
    int done = 0, tries = 0;                                   \
    begin;                                                     \
    busy++;                                                    \
    defer busy--;                                              \
    try {                                                      \
      yield;                                                   \
      for (int i = 0; i < n; i++) {                            \
        wait;                                                  \
        while (stopped) {                                      \
          if (++tries > 100) throw (struct refused){ i };      \
          yield;                                               \
          fm_sleep(1);                                         \
        }                                                      \
        done += checked(value);                                \
        if (done > most) {                                     \
          fm_sleep(1);                                         \
          yield;                                               \
          done = checked(await spawn value_of(most));          \
          yield;                                               \
        }                                                      \
      }                                                        \
      yield;                                                   \
      if (tries > 0) fm_sleep(1);                              \
      yield;                                                   \
    } catch (struct refused e) {                               \
      done = e.at;                                             \
    }                                                          \
    if (done != n) abort();                                    \
    end;                                                       \
    yield;                                                     \
  }

REAL(real_yields, auto t = spawn bouncer(n), yield, 1, await t)
REAL(real_awaits, (void)0, auto t = spawn value_of(1), await t, (void)0)
REAL(real_sleeps, (void)0, fm_sleep(1), 1, (void)0)

static fm_activity held[2];

async static void plain(async void (*f)(int), double *best) {
  double start = now();
  f(N);
  keep_best(best, (now() - start) / N);
}

async static void scoped(async void (*f)(int), double *best) {
  scope (outer) {
    held[0] = outer;
    scope (inner) {
      held[1] = inner;
      double start = now();
      f(N);
      keep_best(best, (now() - start) / N);
    }
  }
}

async static void compare(const char *name, async void (*f)(int)) {
  double bare = 0, cancellable = 0;
  for (int k = 0; k < chunks(CHUNKS); k++) {
    plain(f, &bare);
    scoped(f, &cancellable);
  }
  printf("plain_%s %.2f\n%s %.2f\n", name, bare, name, cancellable);
}

// ---- a tree ----
static int unwound;

async static void leaf(void) {
  defer unwound++;
  fm_sleep(1u << 30);
}

async static void branch(int n) {
  for (int i = 0; i < n; i++) spawn leaf();
}

async static void tree(int n) {
  double best = 0;
  for (int k = 0; k < chunks(n > 100000 ? 3 : 9); k++) {
    double start = 0;
    unwound = 0;
    scope (s) {
      for (int i = 0; i < n / BRANCH; i++) spawn branch(BRANCH);
      fm_sleep(1);
      start = now();
      fm_cancel(s);
    }
    keep_best(&best, (now() - start) / n);
    if (unwound != n) abort();
  }
  printf("tree_%d %.2f\n", n, best);
}

async int main(void) {
  compare("yield", yields);
  compare("await", awaits);
  compare("sleep", sleeps);
  compare("real_yield", real_yields);
  compare("real_await", real_awaits);
  compare("real_sleep", real_sleeps);
  for (int n = 10000; n <= 1000000; n *= 10) tree(n);
}
