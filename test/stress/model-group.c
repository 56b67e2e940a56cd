// stress: wait groups against the model of model.h: a number, and a line that is served when it comes to 0.
// env: FERMATA_DRIVER=virtual
// expect: ok
#include "model.h"
#include <fermata/sync.h>

enum { GROUPS = 2 };
static fm_wait_group groups[GROUPS];
static struct { size_t n; Line line; } model[GROUPS];

static void add(int i) {
  size_t n = draw(3);
  settle();
  if (model[i].n > 5)
    return;
  model[i].n += n;
  fm_wait_group_add(&groups[i], n);
}

static void one_done(int i) {
  settle();
  if (!model[i].n)
    return;
  if (!--model[i].n)
    while (model[i].line.first)
      serve(model[i].line.first, 0);
  fm_wait_group_done(&groups[i]);
}

static void begin_wait(Actor *a, int arm, int i) {
  if (model[i].n)
    wait_in(a, arm, &model[i].line, 0);
  else
    at_once(a, arm, 0);
}

static async void wait_one(Actor *a, int i) {
  defer over(a);
  begin(a);
  begin_wait(a, 0, i);
  fm_wait_group_wait(&groups[i]);
  ended(a, 0, 0);
}

static async void wait_any(Actor *a, int i, int j, unsigned ms) {
  defer over(a);
  if (begin_race(a, ms)) {
    begin_wait(a, 0, i);
    if (undecided(a))
      begin_wait(a, 1, j);
  }
  race {
  case fm_wait_group_wait(&groups[i]): ended(a, 0, 0);
  case fm_wait_group_wait(&groups[j]): ended(a, 1, 0);
  case fm_sleep(ms): ended(a, ALARM, 0);
  }
}

static async void step(Actor *a) {
  int i = (int)draw(GROUPS);
  switch (draw(8)) {
  case 0: wait_one(a, i); break;
  case 1: case 2: wait_any(a, i, (int)draw(GROUPS), 1 + draw(3)); break;
  case 3: case 4: add(i); break;
  default: one_done(i); break;
  }
}

static async void play(void) {
  for (int i = 0; i < GROUPS; i++)
    fm_wait_group_init(&groups[i]);
  drive();
  for (int i = 0; i < GROUPS; i++) {
    CHECK(!model[i].line.first, "someone waits");
    for (; model[i].n; model[i].n--)
      fm_wait_group_done(&groups[i]);
    fm_wait_group_wait(&groups[i]);
  }
}
