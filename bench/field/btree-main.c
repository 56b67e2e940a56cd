// btree-main.c: nanoseconds for an insert, a search and a call of fib, in plain C and with every
// function async, the best of many chunks, taken in turns.
#define PREFIX fm_
#include "btree.h"
void plain_fill(int n);
int plain_found(int n);
void plain_drop(void);
long plain_fib(int n);

#include "../clock.h"
#include <stdlib.h>

enum {
  KEYS = 1000,
  FIB = 20,
  FIB_VALUE = 6765,
  FIB_CALLS = 21891,
  CHUNKS = 2000
};

struct times {
  double insert, search, fib;
};

static void check(int found, long fib) {
  if (found != KEYS || fib != FIB_VALUE)
    abort();
}

static void plain(struct times *best) {
  double t0 = now();
  plain_fill(KEYS);
  double t1 = now();
  int found = plain_found(KEYS);
  double t2 = now();
  long value = plain_fib(FIB);
  double t3 = now();
  plain_drop();
  check(found, value);
  keep_best(&best->insert, t1 - t0);
  keep_best(&best->search, t2 - t1);
  keep_best(&best->fib, t3 - t2);
}

static async void ours(struct times *best) {
  double t0 = now();
  fm_fill(KEYS);
  double t1 = now();
  int found = fm_found(KEYS);
  double t2 = now();
  long value = fm_fib(FIB);
  double t3 = now();
  fm_drop();
  check(found, value);
  keep_best(&best->insert, t1 - t0);
  keep_best(&best->search, t2 - t1);
  keep_best(&best->fib, t3 - t2);
}

static void print(const char *side, const struct times *best) {
  printf("%sinsert %.3f\n", side, best->insert / KEYS);
  printf("%ssearch %.3f\n", side, best->search / KEYS);
  printf("%sfib %.3f\n", side, best->fib / FIB_CALLS);
}

int main(void) {
  struct times best = { 0 }, plain_best = { 0 };
  for (int k = 0; k < chunks(CHUNKS); k++) {
    plain(&plain_best);
    run ours(&best);
  }
  print("plain_", &plain_best);
  print("", &best);
  return 0;
}
