// stress: mailboxes in one domain against the model of model.h: messages in order, and a line. (From other threads: threads.c.)
// env: FERMATA_DRIVER=virtual
// expect: ok
#include "model.h"
#include <fermata/agent.h>

enum { BOXES = 2, MANY = 1 << 12 };
typedef fm_mailbox(uint64_t) box;
static box boxes[BOXES];
static struct { uint64_t messages[MANY]; size_t at, count; Line line; } model[BOXES];
static uint64_t last;

static bool model_try(int i, uint64_t *v) {
  if (!model[i].count)
    return false;
  model[i].count--;
  *v = model[i].messages[model[i].at++ % MANY];
  return true;
}

static void post(int i) {
  settle();
  ++last;
  if (model[i].line.first)
    serve(model[i].line.first, last);
  else
    model[i].messages[(model[i].at + model[i].count++) % MANY] = last;
  CHECK(model[i].count < MANY, "the model is too small");
  fm_post(&boxes[i], last);
  CHECK(fm_mailbox_count(&boxes[i]) == model[i].count, "how many have arrived");
}

static void try_one(int i) {
  uint64_t v = 0, want = 0;
  settle();
  CHECK(fm_try_receive(&boxes[i], &v) == model_try(i, &want) && v == want, "fm_try_receive");
}

static void begin_receive(Actor *a, int arm, int i) {
  uint64_t v = 0;
  if (model_try(i, &v))
    at_once(a, arm, v);
  else
    wait_in(a, arm, &model[i].line, 0);
}

static async void receive_one(Actor *a, int i) {
  uint64_t v;
  defer over(a);
  begin(a);
  begin_receive(a, 0, i);
  v = fm_receive(&boxes[i]);
  ended(a, 0, v);
}

static async void receive_any(Actor *a, int i, int j, unsigned ms) {
  uint64_t v = 0;
  defer over(a);
  if (begin_race(a, ms)) {
    begin_receive(a, 0, i);
    if (undecided(a))
      begin_receive(a, 1, j);
  }
  race {
  case v = fm_receive(&boxes[i]): ended(a, 0, v);
  case v = fm_receive(&boxes[j]): ended(a, 1, v);
  case fm_sleep(ms): ended(a, ALARM, 0);
  }
}

static async void step(Actor *a) {
  int i = (int)draw(BOXES);
  switch (draw(6)) {
  case 0: receive_one(a, i); break;
  case 1: case 2: receive_any(a, i, (int)draw(BOXES), 1 + draw(3)); break;
  case 3: try_one(i); break;
  default: post(i); break;
  }
}

static async void play(void) {
  uint64_t v = 0, want = 0;
  for (int i = 0; i < BOXES; i++) {
    fm_mailbox_init(&boxes[i]);
    CHECK(!fm_try_receive(&boxes[i], &v), "it is empty"); // from here on it is this domain's
  }
  drive();
  for (int i = 0; i < BOXES; i++) {
    CHECK(!model[i].line.first, "someone waits");
    for (int n = 0; n < 3 && model_try(i, &want); n++)
      CHECK(fm_try_receive(&boxes[i], &v) && v == want, "what is left");
    fm_mailbox_free(&boxes[i]);
  }
}
