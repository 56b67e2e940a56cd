// stress: replies in one domain against the model of model.h: a value, given once, and a line. (From other threads: threads.c.)
// env: FERMATA_DRIVER=virtual
// expect: ok
#include "model.h"
#include <fermata/agent.h>

enum { REPLIES = 3 };
typedef fm_reply(uint64_t) reply;
static reply replies[REPLIES];
static struct { bool answered; uint64_t value; Line line; int users; } model[REPLIES]; // users: that wait, or have not gone on
static uint64_t last;

static void answer(int i) {
  settle();
  CHECK(fm_answered(&replies[i]) == model[i].answered, "fm_answered");
  CHECK(fm_answer(&replies[i], ++last) == !model[i].answered, "fm_answer");
  if (model[i].answered)
    return;
  model[i].answered = true;
  model[i].value = last;
  while (model[i].line.first)
    serve(model[i].line.first, last);
}

static void begin_wait(Actor *a, int arm, int i) {
  if (model[i].answered)
    at_once(a, arm, model[i].value);
  else
    wait_in(a, arm, &model[i].line, 0);
}

static async void wait_one(Actor *a, int i) {
  uint64_t v;
  defer over(a);
  model[i].users++;
  defer model[i].users--;
  begin(a);
  begin_wait(a, 0, i);
  v = fm_reply_wait(&replies[i]);
  ended(a, 0, v);
}

static async void wait_any(Actor *a, int i, int j, unsigned ms) {
  uint64_t v = 0;
  defer over(a);
  model[i].users++, model[j].users++;
  defer (model[i].users--, model[j].users--);
  if (begin_race(a, ms)) {
    begin_wait(a, 0, i);
    if (undecided(a))
      begin_wait(a, 1, j);
  }
  race {
  case v = fm_reply_wait(&replies[i]): ended(a, 0, v);
  case v = fm_reply_wait(&replies[j]): ended(a, 1, v);
  case fm_sleep(ms): ended(a, ALARM, 0);
  }
}

static void renew(int i) {
  settle();
  if (model[i].users || !model[i].answered)
    return;
  model[i].answered = false;
  fm_reply_init(&replies[i]);
}

static async void step(Actor *a) {
  int i = (int)draw(REPLIES);
  switch (draw(6)) {
  case 0: wait_one(a, i); break;
  case 1: case 2: wait_any(a, i, (int)draw(REPLIES), 1 + draw(3)); break;
  case 3: answer(i); break;
  default: renew(i); break;
  }
}

static async void play(void) {
  for (int i = 0; i < REPLIES; i++)
    fm_reply_init(&replies[i]);
  drive();
  for (int i = 0; i < REPLIES; i++)
    CHECK(!model[i].line.first && !model[i].users && fm_answered(&replies[i]) == model[i].answered, "what is left");
}
