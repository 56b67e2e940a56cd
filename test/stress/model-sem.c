// stress: semaphores against the model of model.h: a number, and a line.
// env: FERMATA_DRIVER=virtual
// expect: ok
#include "model.h"
#include <fermata/sync.h>

enum { SEMS = 2 };
static fm_sem sems[SEMS];
static struct { size_t n; Line line; } model[SEMS];

static bool model_try(int i) {
  return model[i].n && model[i].n--;
}

static void begin_wait(Actor *a, int arm, int i) {
  if (model_try(i))
    at_once(a, arm, 0);
  else
    wait_in(a, arm, &model[i].line, 0);
}

static void post(int i) {
  settle();
  if (model[i].line.first)
    serve(model[i].line.first, 0);
  else
    model[i].n++;
  fm_sem_post(&sems[i]);
  CHECK(fm_sem_value(&sems[i]) == model[i].n, "the number");
}

static async void wait_one(Actor *a, int i) {
  defer over(a);
  begin(a);
  begin_wait(a, 0, i);
  fm_sem_wait(&sems[i]);
  ended(a, 0, 0);
}

static async void wait_any(Actor *a) {
  unsigned ms = draw(4);
  int first = (int)draw(SEMS);
  defer over(a);
  if (begin_race(a, ms)) {
    begin_wait(a, 0, first);
    if (undecided(a))
      begin_wait(a, 1, 1 - first);
  }
  if (ms) {
    race {
    case fm_sem_wait(&sems[first]): ended(a, 0, 0);
    case fm_sem_wait(&sems[1 - first]): ended(a, 1, 0);
    case fm_sleep(ms): ended(a, ALARM, 0);
    }
  } else {
    race {
    case fm_sem_wait(&sems[first]): ended(a, 0, 0);
    case fm_sem_wait(&sems[1 - first]): ended(a, 1, 0);
    }
  }
}

static void try_one(int i) {
  settle();
  CHECK(fm_sem_try_wait(&sems[i]) == model_try(i), "fm_sem_try_wait");
}

static async void step(Actor *a) {
  int i = (int)draw(SEMS);
  switch (draw(9)) {
  case 0: case 1: wait_one(a, i); break;
  case 2: case 3: wait_any(a); break;
  case 4: try_one(i); break;
  default: post(i); break;
  }
}

static async void play(void) {
  for (int i = 0; i < SEMS; i++) {
    model[i].n = (size_t)i;
    fm_sem_init(&sems[i], (unsigned)i);
  }
  drive();
  for (int i = 0; i < SEMS; i++)
    CHECK(fm_sem_value(&sems[i]) == model[i].n && !model[i].line.first, "what is left");
}
