// stress: groups with a limit against the model of model.h: places, and a line. A child gives its
// place back when it ends, however it ends. One group collects: its kept children are returned in
// the order of their ends.
// env: FERMATA_DRIVER=virtual
// expect: ok
#include "model.h"
#include <fermata/group.h>

enum { GROUPS = 3, ENDS = 1 << 16 };
static fm_group groups[GROUPS];
static struct {
  size_t places, alive, spawned;
  Line line;
} model[GROUPS];

// Children of the last group that have ended and whose task was kept.
static size_t ends[ENDS], first_end, last_end;
static fm_activity children[16]; // some that may be alive

static bool collects(int i) {
  return i == GROUPS - 1;
}

// The last act of a child.
static void gives_back(int i, size_t number, bool kept) {
  settle();
  model[i].alive--;
  if (kept)
    ends[last_end++ % ENDS] = number;
  if (model[i].line.first)
    serve(model[i].line.first, 0);
  else
    model[i].places++;
}

static async void child(int i, size_t number, unsigned ms, bool kept) {
  defer gives_back(i, number, kept);
  if (ms)
    fm_sleep(ms);
}

static void begin_wait(Actor *a, int arm, int i) {
  if (model[i].places) {
    model[i].places--;
    at_once(a, arm, 0);
  } else {
    wait_in(a, arm, &model[i].line, 0);
  }
}

// A place has been taken for it.
static async void spawn_one(int i) {
  size_t number = model[i].spawned++;
  unsigned ms = draw(4);
  model[i].alive++;
  if (collects(i) && draw(2)) {
    auto t = spawn detached in(&groups[i]) child(i, number, ms, true);
    children[draw(16)] = fm_id(t);
    fm_detach(t);
  } else {
    spawn detached in(&groups[i]) child(i, number, ms, false);
  }
  CHECK(fm_group_alive(&groups[i]) == model[i].alive, "how many are alive");
}

static async void wait_one(Actor *a, int i) {
  defer over(a);
  begin(a);
  begin_wait(a, 0, i);
  fm_group_wait(&groups[i]);
  ended(a, 0, 0);
  spawn_one(i);
}

static async void wait_any(Actor *a) {
  unsigned ms = draw(4);
  int first = (int)draw(2);
  defer over(a);
  if (begin_race(a, ms)) {
    begin_wait(a, 0, first);
    if (undecided(a))
      begin_wait(a, 1, 1 - first);
  }
  race {
  case fm_group_wait(&groups[first]):
    ended(a, 0, 0);
    spawn_one(first);
  case fm_group_wait(&groups[1 - first]):
    ended(a, 1, 0);
    spawn_one(1 - first);
  case if (ms) fm_sleep(ms):
    ended(a, ALARM, 0);
  }
}

// Those that have ended are there at once, in their order.
static async void take_ends(void) {
  settle();
  while (first_end < last_end) {
    size_t number = ends[first_end++ % ENDS];
    CHECK(fm_group_next(&groups[GROUPS - 1]) == number, "another child has ended");
  }
}

static async void step(Actor *a) {
  switch (draw(6)) {
  case 5: fm_cancel(children[draw(16)]); break;
  case 0: case 1: wait_one(a, (int)draw(GROUPS)); break;
  case 2: case 3: wait_any(a); break;
  default: atomic take_ends(); break;
  }
}

static async void play(void) {
  for (int i = 0; i < GROUPS; i++) {
    model[i].places = (size_t)i + 1;
    fm_group_init(&groups[i], (size_t)i + 1);
  }
  fm_group_collect(&groups[GROUPS - 1]);
  drive();
  while (model[0].alive + model[1].alive + model[2].alive)
    fm_sleep(1);
  for (int i = 0; i < GROUPS; i++)
    CHECK(model[i].places == (size_t)i + 1 && !model[i].line.first, "what is left");
  take_ends();
  CHECK(fm_group_next(&groups[GROUPS - 1]) == FM_NONE, "none is left");
  fm_group_free(&groups[GROUPS - 1]);
}
