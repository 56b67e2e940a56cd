// stress: fm_map, fm_each, fm_start and fm_retry with random lengths, limits, waits, errors and
// cancels. What must hold is worked out beside each call: how many calls are under way, which
// elements were computed, that nothing is alive afterwards, how often a call was tried, and which
// of value, error and fm_gone comes out.
//     structured-calls OPERATIONS SEED
// env: FERMATA_DRIVER=virtual
// args: 1500 1
// expect: ok
#include <fermata.h>
#include <fermata/group.h>
#include <fermata/time.h>

#include <stdlib.h>

struct bad {
  int n;
};

enum { MOST = 40, FAILS = 1000 };
static uint64_t seed;
static int alive, highest, begun;

static void check(bool ok, const char *what) {
  if (ok)
    return;
  printf("seed %llu: %s\n", (unsigned long long)seed, what);
  exit(1);
}

static unsigned draw(unsigned n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % n;
}

static async void some_wait(void) {
  switch (draw(4)) {
  case 0: yield; break;
  case 1: fm_sleep(draw(4)); break;
  }
}

static async int compute(int n) throws(struct bad) {
  defer alive--;
  begun++;
  if (++alive > highest)
    highest = alive;
  some_wait();
  if (n >= FAILS)
    throw (struct bad){ n };
  return n + 1;
}

static async void only(int n) throws(struct bad) {
  compute(n);
}

static async void map_once(void) {
  int in[MOST];
  int out[MOST];
  unsigned n = draw(MOST);
  unsigned limit = draw(8);
  int failing = 0;
  bool maps = draw(3) > 0;
  bool ended = false;
  bool failed = false;
  for (unsigned i = 0; i < n; i++) {
    in[i] = (int)i + (draw(60) == 0 ? FAILS : 0);
    failing += in[i] >= FAILS;
    out[i] = -1;
  }
  highest = begun = 0;
  scope (s) {
    if (draw(3) == 0)
      fm_cancel_after(s, draw(8));
    try {
      if (maps)
        fm_map(out, in, n, limit, compute);
      else
        fm_each(in, n, limit, only);
      ended = true;
    } catch (struct bad e) {
      failed = true;
      check(e.n >= FAILS && in[e.n - FAILS] == e.n, "an error of no element");
    }
    check(alive == 0, "a call is under way");
  } else {
    check(!ended, "else, and it has ended");
  }
  check(alive == 0, "a call is under way after the scope");
  check(!limit || highest <= (int)limit, "more than the limit");
  check(!ended || (failing == 0 && begun == (int)n), "it has not called all");
  check(!failed || failing > 0, "it failed, and no element does");
  for (unsigned i = 0; i < n && maps; i++)
    check(out[i] == -1 ? !ended : out[i] == in[i] + 1, "a wrong result");
}

typedef fm_starting(int) starting;
enum how { READY, THROWS, ENDS, LATER, HOWS };

static async void child(starting *s, enum how how) throws(struct bad) {
  defer alive--;
  alive++;
  some_wait();
  if (how == THROWS)
    throw (struct bad){ 1 };
  if (how == ENDS)
    return;
  fm_ready(s, 7);
  some_wait();
  if (how == LATER)
    throw (struct bad){ 2 };
}

static async void start_once(void) {
  starting st;
  enum how how = draw(HOWS);
  enum how came = HOWS;
  bool cut = false;
  bool limited = draw(3) == 0;
  try {
    scope (s) {
      if (limited)
        fm_cancel_after(s, draw(5));
      int got = fm_start(&st, child(&st, how));
      check(got == 7, "another value");
      came = READY;
    } else {
      cut = true;
    }
  } catch (struct bad e) {
    check(e.n == (how == THROWS ? 1 : 2), "another error");
    // where a cancel ends fm_start, a child that was ready to run may still fail
    check(limited || (came == READY) == (how == LATER), "an error at the wrong time");
    came = how;
  } catch (struct fm_gone e) {
    check(!e.error, "gone with an error");
    came = ENDS;
  }
  check(alive == 0, "the child is alive");
  check(cut || came == how, "another way");
}

static int tries, good_at;
static async int flaky(void) throws(struct bad) {
  some_wait();
  if (++tries == good_at)
    return tries;
  throw (struct bad){ tries };
}

static bool below(const fm_error *e, void *arg) {
  return ((const struct bad *)fm_error_value(e))->n < *(int *)arg;
}

static async void retry_once(void) {
  int bound = 1 + (int)draw(10);
  struct fm_retry how = {
    .attempts = draw(8),
    .delay_ms = draw(4),
    .max_delay_ms = draw(8),
    .jitter = draw(3) / 2.0,
    .again = below,
    .arg = &bound,
  };
  int last = how.attempts && (int)how.attempts < bound ? (int)how.attempts : bound;
  int got = 0;
  bool cut = false;
  tries = 0;
  good_at = 1 + (int)draw(12);
  scope (s) {
    if (draw(4) == 0)
      fm_cancel_after(s, draw(10));
    try {
      got = fm_retry(how, flaky());
    } catch (struct bad e) {
      got = -e.n;
    }
  } else {
    cut = true;
  }
  check(cut || got == (good_at <= last ? good_at : -last), "tried too often, or not often enough");
  check(tries <= last, "tried too often");
}

async int main(int argc, char **argv) {
  long budget = argc > 1 ? atol(argv[1]) : 1500;
  seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  for (; budget > 0; budget -= 10) {
    map_once();
    start_once();
    retry_once();
  }
  puts("ok");
  return 0;
}
