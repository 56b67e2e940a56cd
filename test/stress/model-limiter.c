// stress: rate limiters against the model of model.h: a level that rises with time, and a line that
// is served from its front at the very moment when the level allows it. The rate is such that these
// moments do not coincide with those of other timers.
// env: FERMATA_DRIVER=virtual
// expect: ok
#include "model.h"
#include <fermata/sync.h>

enum { RATE = 1000003, BURST = 2000, MOST = 3000 };
#define SECOND 1000000000ull
typedef unsigned __int128 Units; // a token is SECOND of them; RATE come in a nanosecond
static fm_limiter limiter;
static Line line;
static Units level = (Units)BURST *SECOND;
static uint64_t at; // the level was that
static long waited;

static void rise(uint64_t until) {
  uint64_t most = line.first && line.first->value > BURST ? line.first->value : BURST;
  level += (Units)(until - at) * RATE;
  at = until;
  if (level > (Units)most * SECOND)
    level = (Units)most * SECOND;
}

static void serve_line(void) {
  rise(now);
  while (line.first && (Units)line.first->value * SECOND <= level) {
    level -= (Units)line.first->value * SECOND;
    serve(line.first, 0);
    waited++;
    rise(now);
  }
}

static uint64_t first_is_due(void) {
  if (!line.first)
    return FOREVER;
  Units lacks = (Units)line.first->value * SECOND - level;
  return at + (uint64_t)((lacks + RATE - 1) / RATE);
}

static bool model_try(uint64_t n) {
  if (n && line.first)
    return false;
  if (n == 0)
    return true;
  rise(now);
  if (level < (Units)n * SECOND)
    return false;
  level -= (Units)n * SECOND;
  return true;
}

static void begin_wait(Actor *a, int arm, uint64_t n) {
  if (model_try(n))
    at_once(a, arm, 0);
  else
    wait_in(a, arm, &line, n);
}

static async void wait_one(Actor *a) {
  uint64_t n = draw(20) ? draw(MOST) : 1;
  defer over(a);
  begin(a);
  begin_wait(a, 0, n);
  if (n == 1)
    fm_limiter_wait(&limiter);
  else
    fm_limiter_wait_n(&limiter, n);
  ended(a, 0, 0);
}

// Two arms of one race in one line: the first of them may give way to the second.
static async void wait_any(Actor *a) {
  unsigned ms = draw(4);
  uint64_t n = draw(MOST), m = draw(MOST);
  defer over(a);
  if (begin_race(a, ms)) {
    begin_wait(a, 0, n);
    if (undecided(a))
      begin_wait(a, 1, m);
  }
  if (ms) {
    race {
    case fm_limiter_wait_n(&limiter, n): ended(a, 0, 0);
    case fm_limiter_wait_n(&limiter, m): ended(a, 1, 0);
    case fm_sleep(ms): ended(a, ALARM, 0);
    }
  } else {
    race {
    case fm_limiter_wait_n(&limiter, n): ended(a, 0, 0);
    case fm_limiter_wait_n(&limiter, m): ended(a, 1, 0);
    }
  }
}

static void try_one(void) {
  uint64_t n = draw(MOST);
  settle();
  CHECK(fm_limiter_try(&limiter, n) == model_try(n), "fm_limiter_try");
  rise(now);
  CHECK(fm_limiter_value(&limiter) == (line.first ? 0 : level / SECOND), "fm_limiter_value");
}

static void give_back(void) {
  uint64_t n = draw(200);
  settle();
  rise(now);
  level += (Units)n * SECOND;
  serve_line();
  fm_limiter_give_back(&limiter, n);
}

static async void step(Actor *a) {
  switch (draw(9)) {
  case 0: case 1: case 2: case 3: wait_one(a); break;
  case 4: case 5: wait_any(a); break;
  case 6: give_back(); break;
  default: try_one(); break;
  }
}

static async void play(void) {
  at = fm_now();
  fm_limiter_init(&limiter, RATE, 1000, BURST);
  on_left = serve_line;
  next_change = first_is_due;
  change = serve_line;
  drive();
  CHECK(!line.first, "what is left");
  CHECK(waited > 0 || done_ops < 1000, "nobody waited");
}
