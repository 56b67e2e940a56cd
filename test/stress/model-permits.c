// stress: semaphores whose waiters want different numbers of permits, against the model of model.h.
// The line is served from its front, as far as the permits reach: nobody is overtaken. When the
// first one leaves, those after it may go on in that step.
// env: FERMATA_DRIVER=virtual
// expect: ok
#include "model.h"
#include <fermata/sync.h>

enum { SEMS = 2, MOST = 6 };
static fm_sem sems[SEMS];
static struct { size_t n; Line line; } model[SEMS];
static long moved_up; // waiters that went on because one before them left

static void serve_line(int i) {
  while (model[i].line.first && model[i].line.first->value <= model[i].n) {
    model[i].n -= model[i].line.first->value;
    serve(model[i].line.first, 0);
  }
}

// Lines whose first one has left, in that order.
static int left[SEMS], nleft;

static void front_left(Line *l) {
  for (int i = 0; i < nleft; i++)
    if (&model[left[i]].line == l)
      return;
  left[nleft++] = l == &model[0].line ? 0 : 1;
}

static void move_up(void) {
  while (nleft) {
    int i = left[0];
    size_t before = model[i].n;
    left[0] = left[--nleft];
    serve_line(i);
    moved_up += model[i].n != before;
  }
}

static bool model_try(int i, size_t n) {
  if (n && (model[i].line.first || model[i].n < n))
    return false;
  model[i].n -= n;
  return true;
}

static void begin_wait(Actor *a, int arm, int i, size_t n) {
  if (model_try(i, n))
    at_once(a, arm, 0);
  else
    wait_in(a, arm, &model[i].line, n);
}

static size_t value(int i) {
  return model[i].line.first ? 0 : model[i].n;
}

static void post(int i) {
  size_t n = draw(MOST);
  settle();
  model[i].n += n;
  serve_line(i);
  move_up();
  if (n == 1 && draw(2))
    fm_sem_post(&sems[i]);
  else
    fm_sem_post_n(&sems[i], n);
  CHECK(fm_sem_value(&sems[i]) == value(i), "the number");
}

static async void wait_one(Actor *a, int i) {
  size_t n = draw(MOST);
  defer over(a);
  begin(a);
  begin_wait(a, 0, i, n);
  if (n == 1 && draw(2))
    fm_sem_wait(&sems[i]);
  else
    fm_sem_wait_n(&sems[i], n);
  ended(a, 0, 0);
}

static async void wait_any(Actor *a) {
  unsigned ms = draw(4);
  size_t n = draw(MOST), m = draw(MOST);
  int first = (int)draw(SEMS), second = (int)draw(SEMS); // perhaps the same
  defer over(a);
  if (begin_race(a, ms)) {
    begin_wait(a, 0, first, n);
    if (undecided(a))
      begin_wait(a, 1, second, m);
    move_up();
  }
  if (ms) {
    race {
    case fm_sem_wait_n(&sems[first], n): ended(a, 0, 0);
    case fm_sem_wait_n(&sems[second], m): ended(a, 1, 0);
    case fm_sleep(ms): ended(a, ALARM, 0);
    }
  } else {
    race {
    case fm_sem_wait_n(&sems[first], n): ended(a, 0, 0);
    case fm_sem_wait_n(&sems[second], m): ended(a, 1, 0);
    }
  }
}

static void try_one(int i) {
  size_t n = draw(MOST);
  settle();
  CHECK(fm_sem_try_wait_n(&sems[i], n) == model_try(i, n), "fm_sem_try_wait_n");
}

// An actor that leaves does so by interrupt or by an alarm: what it leaves is seen in the next step
// of the model, and in the library at once.
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
  on_left = move_up;
  on_front = front_left;
  drive();
  for (int i = 0; i < SEMS; i++)
    CHECK(fm_sem_value(&sems[i]) == model[i].n && !model[i].line.first, "what is left");
  CHECK(moved_up > 0 || done_ops < 1000, "nobody moved up");
}
