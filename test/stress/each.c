// stress: catch each. Scopes with random children, which end, fail, wait, or hold scopes of their
// own; clauses that pause, throw, throw again, cancel; cancels and pauses from outside. Each error
// that was thrown is taken by exactly one clause, or by an awaiter, or comes out of the outermost
// scope; no scope ends before its children and clauses; without a cancel or an error that no clause
// takes, all children come to their end.
//     each OPERATIONS SEED
// env: FERMATA_DRIVER=virtual
// args: 3000 1
// expect: ok
#include <fermata.h>
#include <fermata/time.h>

#include <stdlib.h>

struct taken {
  int id;
};
struct given {
  int id;
};

enum { MOST = 1000 };                 // errors of a round
static struct { int thrown, clauses, out; } all[MOST];
static int errors;
static uint64_t seed;
static long budget;
static fm_activity live[64];          // scopes that may be cancelled or paused
static bool disturbed;

#define CHECK(c, ...)                                   \
  do                                                    \
    if (!(c)) {                                         \
      printf("seed %llu: ", (unsigned long long)seed);  \
      printf(__VA_ARGS__);                              \
      exit(1);                                          \
    }                                                   \
  while (0)

static unsigned draw(unsigned n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % n;
}

static int new_error(void) {
  CHECK(errors < MOST, "too many errors");
  all[errors].thrown = 1;
  return errors++;
}

// All that hang on one.
static void came_out(const fm_error *e, bool in_clause) {
  for (; e; e = fm_error_next(e)) {
    int id = *(const int *)fm_error_value(e);
    CHECK(id >= 0 && id < errors && all[id].thrown, "no such error");
    if (in_clause)
      all[id].clauses++;
    else
      all[id].out++;
  }
}

static async void some_scope(int depth) throws(fm_error);

static async void leaf(int *ended) throws(struct taken) {
  switch (draw(4)) {
  case 0: yield; break;
  case 1: fm_sleep(draw(4)); break;
  case 2: atomic fm_sleep(1); break;
  }
  if (draw(2))
    throw (struct taken){ new_error() };
  ++*ended;
}

static async void child(int depth, int *ended) throws(fm_error) {
  fm_sleep(draw(3));
  if (depth > 0 && draw(2))
    some_scope(depth - 1);
  if (draw(3) == 0)
    leaf(ended);
  else if (draw(8) == 0) {
    disturbed = true;
    throw (struct given){ new_error() };
  } else
    ++*ended;
}

static async void cleans_up(int *ended) throws(struct taken) {
  defer if (draw(4) == 0) {
    throw (struct taken){ new_error() };
  }
  fm_sleep(draw(5));
  ++*ended;
}

// What a clause does; false: it throws the error again.
static async bool clause(fm_activity s, int *inside) throws(struct given) {
  ++*inside;
  defer --*inside;
  switch (draw(8)) {
  case 0: yield; break;
  case 1: fm_sleep(draw(3)); break;
  case 2: spawn fm_sleep(draw(3)); break;
  case 3:
    disturbed = true;
    fm_cancel(s);
    break;
  case 4:
    if (draw(4) == 0) {
      disturbed = true;
      throw (struct given){ new_error() };
    }
    break;
  case 5: return draw(4) > 0;
  }
  return true;
}

static async void await_it(task(void) throws(fm_error) t) {
  try {
    await t;
  } catch (struct fm_cancelled e) {
  } catch (fm_error *e) {
    came_out(e, true);
  }
}

// Leaves, and a clause for their errors alone.
static async void typed(int n, int slot) throws(struct taken, struct given) {
  int inside = 0;
  int ended = 0;
  int before = errors;
  scope (s) {
    live[slot] = s;
    for (int i = 0; i < n; i++)
      if (draw(4) == 0)
        spawn cleans_up(&ended);
      else if (draw(4) == 0)
        activate { leaf(&ended); }
      else
        spawn leaf(&ended);
  } catch each (struct taken e) {
    all[e.id].clauses++;
    if (!clause(s, &inside)) {
      all[e.id].clauses--;
      disturbed = true;
      throw;
    }
  }
  CHECK(inside == 0, "a clause is under way");
  CHECK(disturbed || ended + errors - before >= n, "%d of %d", ended + errors - before, n);
}

// All kinds of children, and a clause for all errors.
static async void untyped(int depth, int n, int slot) throws(fm_error) {
  int inside = 0;
  int ended = 0;
  scope (s) {
    live[slot] = s;
    for (int i = 0; i < n; i++) {
      auto t = spawn child(depth, &ended);
      if (draw(3) == 0)
        spawn await_it(t);
      else if (draw(3))
        fm_detach(t);
      else if (draw(2)) {
        fm_sleep(draw(4));
        fm_detach(t);
      }
    }
  } catch each (fm_error *e) {
    came_out(e, true);
    if (!clause(s, &inside)) {
      for (const fm_error *k = e; k; k = fm_error_next(k))
        all[*(const int *)fm_error_value(k)].clauses--;
      disturbed = true;
      throw;
    }
  }
  CHECK(inside == 0, "a clause is under way");
}

static async void without(int depth, int n, int slot) throws(fm_error) {
  int ended = 0;
  scope (s) {
    live[slot] = s;
    for (int i = 0; i < n; i++) spawn child(depth, &ended);
  } else yield;
}

static async void some_scope(int depth) throws(fm_error) {
  int n = (int)draw(4);
  int slot = (int)draw(64);
  budget -= n + 1;
  switch (draw(5)) {
  case 0: case 1: typed(n, slot); break;
  case 2: case 3: untyped(depth, n, slot); break;
  default: without(depth, n, slot); break;
  }
}

static async void meddle(void) {
  for (;;) {
    fm_activity s = live[draw(64)];
    fm_sleep(draw(3) + 1);
    switch (draw(6)) {
    case 0:
      disturbed = true;
      fm_cancel(s);
      break;
    case 1:
      fm_pause(s);
      fm_sleep(1);
      fm_resume(s);
      break;
    }
  }
}

static async void round_of(void) {
  bool meddled = draw(2);
  errors = 0;
  disturbed = meddled;
  for (int i = 0; i < MOST; i++)
    all[i].thrown = all[i].clauses = all[i].out = 0;
  for (int i = 0; i < 64; i++)
    live[i] = (fm_activity){ 0 };
  try {
    race {
    case some_scope(2): break;
    case if (meddled) meddle(): break;
    }
  } catch (fm_error *e) {
    came_out(e, false);
  }
  for (int i = 0; i < errors; i++)
    CHECK(all[i].clauses + all[i].out == 1,
          "error %d: %d clauses, came out %d times",
          i,
          all[i].clauses,
          all[i].out);
}

async int main(int argc, char **argv) {
  budget = argc > 1 ? atol(argv[1]) : 3000;
  seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  while (budget > 0) {
    round_of();
    budget--;
  }
  puts("ok");
  return 0;
}
