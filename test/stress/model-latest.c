// stress: latest values and one-shots against the model of model.h: a number that counts, and a
// line that is served as a whole. Who goes on gets the newest value.
// env: FERMATA_DRIVER=virtual
// expect: ok
#include "model.h"
#include <fermata/sync.h>

enum { SHOTS = 4 };
typedef fm_latest(uint64_t) latest;
typedef fm_oneshot(uint64_t) oneshot;
static latest value;
static oneshot shots[SHOTS];
static uint64_t newest = 1, given[SHOTS]; // given 0: it has not been
static Line changes, comes[SHOTS];
static uint64_t seen[ACTORS];

static void set_latest(void) {
  settle();
  newest++;
  while (changes.first)
    serve(changes.first, 0);
  fm_latest_set(&value, newest);
}

static void give(int i) {
  settle();
  uint64_t v = 1 + draw(1000);
  bool first = !given[i];
  if (first)
    given[i] = v;
  while (comes[i].first)
    serve(comes[i].first, given[i]);
  CHECK(fm_oneshot_set(&shots[i], v) == first, "fm_oneshot_set");
  CHECK(fm_oneshot_is_set(&shots[i]), "fm_oneshot_is_set");
}

static void renew(int i) {
  settle();
  if (comes[i].first)
    return;
  given[i] = 0;
  fm_oneshot_init(&shots[i]);
}

static void begin_next(Actor *a, int arm) {
  if (seen[a - actors] != newest)
    at_once(a, arm, 0);
  else
    wait_in(a, arm, &changes, 0);
}

static void begin_shot(Actor *a, int arm, int i) {
  if (given[i])
    at_once(a, arm, given[i]);
  else
    wait_in(a, arm, &comes[i], 0);
}

static void got_next(Actor *a, int arm, uint64_t v, uint64_t number) {
  ended(a, arm, 0);
  // An arm has read it when it went on; the race goes on after it.
  CHECK(arm ? v <= newest : v == newest, "the newest value");
  CHECK(number > seen[a - actors] && number == v, "never the same twice");
  seen[a - actors] = number;
}

static async void next(Actor *a) {
  uint64_t number = seen[a - actors];
  defer over(a);
  begin(a);
  begin_next(a, 0);
  uint64_t v = fm_latest_next(&value, &number);
  got_next(a, 0, v, number);
}

static async void wait_shot(Actor *a, int i) {
  defer over(a);
  begin(a);
  begin_shot(a, 0, i);
  uint64_t v = fm_oneshot_wait(&shots[i]);
  ended(a, 0, v);
}

static async void any(Actor *a, int i) {
  uint64_t number = seen[a - actors];
  unsigned ms = 1 + draw(3);
  defer over(a);
  if (begin_race(a, ms)) {
    begin_shot(a, 0, i);
    if (undecided(a))
      begin_next(a, 1);
  }
  race {
  case uint64_t v = fm_oneshot_wait(&shots[i]): ended(a, 0, v);
  case uint64_t v = fm_latest_next(&value, &number): got_next(a, 1, v, number);
  case fm_sleep(ms): ended(a, ALARM, 0);
  }
}

// The numbers in `seen` are the library's; they count as the values do here.
static async void step(Actor *a) {
  int i = (int)draw(SHOTS);
  switch (draw(9)) {
  case 0: case 1: next(a); break;
  case 2: case 3: any(a, i); break;
  case 4: wait_shot(a, i); break;
  case 5: give(i); break;
  case 6: renew(i); break;
  default: set_latest(); break;
  }
}

static async void play(void) {
  fm_latest_init(&value, newest);
  for (int i = 0; i < SHOTS; i++)
    fm_oneshot_init(&shots[i]);
  drive();
  CHECK(!changes.first, "what is left");
  CHECK(fm_latest_get(&value) == newest, "fm_latest_get");
}
