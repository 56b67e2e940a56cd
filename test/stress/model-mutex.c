// stress: mutexes against the model of model.h: an owner, and a line. Whoever has one keeps it over pauses; some come to it by a race.
// env: FERMATA_DRIVER=virtual
// expect: ok
#include "model.h"
#include <fermata/sync.h>

enum { MUTEXES = 2 };
static fm_mutex mutexes[MUTEXES];
static struct { Actor *owner; Line line; } model[MUTEXES];

static bool model_try(Actor *a, int i) {
  if (model[i].owner)
    return false;
  model[i].owner = a;
  return true;
}

static void begin_lock(Actor *a, int arm, int i) {
  if (model_try(a, i))
    at_once(a, arm, 0);
  else
    wait_in(a, arm, &model[i].line, 0);
}

static void unlock(Actor *a, int i) {
  settle();
  CHECK(!is_held(a), "it runs, and is paused");
  CHECK(model[i].owner == a, "it has it");
  model[i].owner = model[i].line.first ? model[i].line.first->who : NULL;
  if (model[i].owner)
    serve(model[i].line.first, 0);
  fm_unlock(&mutexes[i]);
}

static async void hold(Actor *a, int i) {
  defer unlock(a, i);
  for (int n = (int)draw(3); n > 0; n--)
    rest();
}

static async void lock_one(Actor *a, int i) {
  defer over(a);
  begin(a);
  begin_lock(a, 0, i);
  fm_lock(&mutexes[i]);
  ended(a, 0, 0);
  hold(a, i);
}

static async void lock_any(Actor *a) {
  unsigned ms = 1 + draw(3);
  int first = (int)draw(MUTEXES), got = -1;
  defer over(a);
  if (begin_race(a, ms)) {
    begin_lock(a, 0, first);
    if (undecided(a))
      begin_lock(a, 1, 1 - first);
  }
  race {
  case fm_lock(&mutexes[first]): ended(a, 0, 0), got = first;
  case fm_lock(&mutexes[1 - first]): ended(a, 1, 0), got = 1 - first;
  case fm_sleep(ms): ended(a, ALARM, 0);
  }
  if (got >= 0)
    hold(a, got);
}

static async void try_one(Actor *a, int i) {
  settle();
  bool got = fm_try_lock(&mutexes[i]);
  CHECK(got == model_try(a, i), "fm_try_lock");
  if (got)
    hold(a, i);
}

static async void step(Actor *a) {
  int i = (int)draw(MUTEXES);
  switch (draw(5)) {
  case 0: case 1: lock_one(a, i); break;
  case 2: case 3: lock_any(a); break;
  default: try_one(a, i); break;
  }
}

static async void play(void) {
  for (int i = 0; i < MUTEXES; i++)
    fm_mutex_init(&mutexes[i]);
  drive();
  for (int i = 0; i < MUTEXES; i++)
    CHECK(!model[i].owner && !model[i].line.first && fm_try_lock(&mutexes[i]), "what is left");
}
