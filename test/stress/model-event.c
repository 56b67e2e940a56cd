// stress: events against the model of model.h: whoever stands in the line when a value is emitted gets it.
// env: FERMATA_DRIVER=virtual
// expect: ok
#include "model.h"
#include <fermata/sync.h>

enum { EVENTS = 3 };
typedef fm_event(uint64_t) event;
static event events[EVENTS];
static Line model[EVENTS];
static uint64_t last;

static void emit(int i) {
  size_t n = 0;
  settle();
  for (++last; model[i].first; n++)
    serve(model[i].first, last);
  CHECK(fm_emit(&events[i], last) == n, "to how many it went");
}

static async void next_one(Actor *a, int i) {
  uint64_t v;
  defer over(a);
  begin(a);
  wait_in(a, 0, &model[i], 0);
  v = fm_next(&events[i]);
  ended(a, 0, v);
}

static async void next_any(Actor *a, int i, int j, unsigned ms) {
  uint64_t v = 0;
  defer over(a);
  if (begin_race(a, ms)) {
    wait_in(a, 0, &model[i], 0);
    wait_in(a, 1, &model[j], 0);
  }
  race {
  case v = fm_next(&events[i]): ended(a, 0, v);
  case v = fm_next(&events[j]): ended(a, 1, v);
  case fm_sleep(ms): ended(a, ALARM, 0);
  }
}

static async void step(Actor *a) {
  int i = (int)draw(EVENTS);
  switch (draw(4)) {
  case 0: next_one(a, i); break;
  case 1: next_any(a, i, (int)draw(EVENTS), 1 + draw(3)); break;
  case 2: emit(i); break;
  }
}

static async void play(void) {
  for (int i = 0; i < EVENTS; i++)
    fm_event_init(&events[i]);
  drive();
  for (int i = 0; i < EVENTS; i++)
    CHECK(!model[i].first && fm_emit(&events[i], 0) == 0, "someone waits");
}
