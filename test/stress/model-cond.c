// stress: conditions and their mutexes against the model of model.h. Who waits for a condition stands in its line; a signal, or a cancel,
// brings the first one, or that one, into the line of the mutex: it goes on when it has the mutex. A signal that came to one that is
// cancelled before it goes on is the next one's.
// env: FERMATA_DRIVER=virtual
// expect: ok
#include "model.h"
#include <fermata/sync.h>

enum { CONDS = 2 };                               // of one mutex
static fm_mutex mutex;
static fm_cond conds[CONDS];
static Actor *owner;
static Line lockers, lines[CONDS];
// cond -1: it is not in fm_cond_wait; unwinds: when it has the mutex; late: no signal came in time
static struct { int cond; bool signalled, unwinds, late; } at[ACTORS];
static long passed, were_late;

// ---- the model ----
static void give_mutex(void) {
  Wait *w = lockers.first;
  owner = w ? w->who : NULL;
  if (!w)
    return;
  serve(w, 0);
  if (at[owner - actors].cond >= 0 && at[owner - actors].unwinds)
    owner->state = UNWINDS;
}

static void lock_again(Wait *w) {
  w->who->alarm = FOREVER;
  line_leave(w);
  line_add(&lockers, w);
  if (!owner)
    give_mutex();
}

static void model_signal(int i) {
  Wait *w = lines[i].first;
  if (!w)
    return;
  at[w->who - actors].signalled = true;
  lock_again(w);
}

static bool time_is_over(Actor *a) {
  at[a - actors].late = true;
  were_late++;
  lock_again(&a->waits[0]);
  return true;
}

static bool cancelled_while(Actor *a) {
  int k = (int)(a - actors), cond = at[k].cond;
  Wait *w = &a->waits[0];
  if (cond < 0)
    return false;
  at[k].unwinds = true;
  if (w->line != &lockers) {
    lock_again(w);
  } else if (at[k].signalled) {
    at[k].signalled = false;
    passed++;
    model_signal(cond);
  }
  return true;
}

// ---- operations ----
static void unlock(Actor *a) {
  settle();
  CHECK(!is_held(a), "it runs, and is paused");
  CHECK(owner == a, "it has the mutex");
  give_mutex();
  fm_unlock(&mutex);
}

static void signal_one(void) {
  int i = (int)draw(CONDS);
  settle();
  model_signal(i);
  fm_cond_signal(&conds[i]);
}

static void signal_all(void) {
  int i = (int)draw(CONDS);
  settle();
  while (lines[i].first)
    lock_again(lines[i].first);
  fm_cond_broadcast(&conds[i]);
}

// It has been left, with the mutex.
static void cond_over(Actor *a) {
  int k = (int)(a - actors), i = at[k].cond;
  goes_on(a);
  CHECK(owner == a, "it has the mutex again");
  at[k].cond = -1;
  if (a->state == SERVED && is_cancelled(a)) {
    a->state = UNWINDS;
    passed += at[k].signalled;
    if (at[k].signalled)
      model_signal(i);
  }
}

static async void wait_cond(Actor *a, int i) {
  bool returns = false, in_time = true;
  unsigned ms = draw(4); // 0: no limit
  begin(a);
  at[a - actors].cond = i;
  at[a - actors].signalled = at[a - actors].unwinds = at[a - actors].late = false;
  if (!is_cancelled(a))
    give_mutex();
  if (ms && !is_cancelled(a))
    a->alarm = timer_in(ms, &a->alarm_set);
  wait_in(a, 0, &lines[i], 0);
  defer {
    cond_over(a);
    CHECK(a->state == (returns ? SERVED : UNWINDS), "how it ends");
    CHECK(!returns || in_time == !at[a - actors].late, "whether it was in time");
    a->state = QUIET;
  }
  if (ms)
    in_time = fm_cond_wait_for(&conds[i], &mutex, ms);
  else
    fm_cond_wait(&conds[i], &mutex);
  returns = true;
}

static async void lock(Actor *a) {
  defer over(a);
  begin(a);
  if (!owner) {
    owner = a;
    at_once(a, 0, 0);
  } else {
    wait_in(a, 0, &lockers, 0);
  }
  fm_lock(&mutex);
  ended(a, 0, 0);
}

static async void lock_and_wait(Actor *a) {
  lock(a);
  defer unlock(a);
  for (int n = (int)draw(3); n > 0; n--) {
    if (draw(3))
      wait_cond(a, (int)draw(CONDS));
    else if (draw(2))
      signal_one();
    if (!draw(3))
      rest();
  }
}

// As an arm of a race. It is cancelled when the other one, fm_sleep, is over: as by a deadline.
static unsigned expires_in(Actor *a, unsigned ms) {
  a->deadline = timer_in(ms, &a->deadline_set);
  return ms;
}

static async void in_race(Actor *a) {
  unsigned ms = 1 + draw(3);
  settle();
  if (a->scoped || a->cancelled) {
    lock_and_wait(a);
    return;
  }
  scope_begins(a, (fm_activity){ 0 }, 0);
  a->raced = true;
  defer scope_ends(a);
  race {
  case lock_and_wait(a): break;
  case fm_sleep(expires_in(a, ms)): break;
  }
}

static async void step(Actor *a) {
  switch (draw(8)) {
  case 0: case 1: lock_and_wait(a); break;
  case 2: case 3: in_race(a); break;
  case 4: signal_all(); break;
  default: signal_one(); break;
  }
}

static async void play(void) {
  for (int i = 0; i < ACTORS; i++)
    at[i].cond = -1;
  fm_mutex_init(&mutex);
  for (int i = 0; i < CONDS; i++)
    fm_cond_init(&conds[i]);
  on_cancel = cancelled_while;
  on_alarm = time_is_over;
  drive();
  CHECK(!owner && !lockers.first && !lines[0].first && !lines[1].first && fm_try_lock(&mutex), "what is left");
  CHECK(passed > 0, "no signal was passed on");
  CHECK(were_late > 0, "nobody was late");
}
