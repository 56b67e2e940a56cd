// stress: once against the model of model.h: the first to come runs it, the others stand in a line; if it is cancelled, the first of
// them runs it; when it has been done, all go on.
// env: FERMATA_DRIVER=virtual
// expect: ok
#include "model.h"
#include <fermata/sync.h>

enum { ONCES = 2, HAS_BEEN = 0, RUNS_IT = 1 };    // what who calls it is given
static fm_once onces[ONCES];
static struct Model { Actor *runs; bool done; Line line; } model[ONCES];
static int at[ACTORS];                            // which one the actor is at; -1: none
static long times, handed;

static void run_by(struct Model *m, Actor *a) {
  m->runs = a;
  times++;
}

static void run_is_over(struct Model *m, bool done) {
  settle();
  Wait *w = m->line.first;
  m->runs = NULL;
  m->done = done;
  if (done) {
    while (m->line.first)
      serve(m->line.first, HAS_BEEN);
  } else if (w) {
    run_by(m, w->who);
    handed++;
    serve(w, RUNS_IT);
  }
}

static async void set_up(void *arg) {
  Actor *a = arg;
  struct Model *m = &model[at[a - actors]];
  bool done = false;
  ended(a, 0, RUNS_IT);
  CHECK(m->runs == a, "another one runs it");
  defer run_is_over(m, done);
  for (int n = (int)draw(3); n > 0; n--)
    rest();
  done = true;
}

static void leave(Actor *a) {
  over(a);
  at[a - actors] = -1;
}

static async void call(Actor *a, int i) {
  struct Model *m = &model[i];
  begin(a);
  at[a - actors] = i;
  defer leave(a);
  if (m->done) {
    at_once(a, 0, HAS_BEEN);
  } else if (m->runs) {
    wait_in(a, 0, &m->line, 0);
  } else {
    run_by(m, a);
    at_once(a, 0, RUNS_IT);
  }
  fm_call_once(&onces[i], set_up, a);
  CHECK(m->done, "it has not been done");
  if (a->state != QUIET)
    ended(a, 0, HAS_BEEN);
}

// A new one, when all have gone on.
static void renew(int i) {
  settle();
  for (int k = 0; k < ACTORS; k++)
    if (at[k] == i)
      return;
  CHECK(!model[i].runs && !model[i].line.first, "someone waits that has gone");
  model[i].done = false;
  onces[i] = (fm_once){ 0 };
}

static async void step(Actor *a) {
  int i = (int)draw(ONCES);
  if (draw(3))
    call(a, i);
  else
    renew(i);
}

static async void play(void) {
  memset(at, -1, sizeof at);
  drive();
  CHECK(times > handed && handed > 0, "how often it was run");
}
