// Semaphores, mutexes, conditions, MVars, events, wait groups, once.
// env: FERMATA_TICK=off
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>

// ---- semaphores ----
static async void worker(fm_sem *s, int id) {
  fm_sem_wait(s);
  printf("%d in\n", id);
  yield;
  fm_sem_post(s);
}

static async void semaphores(void) {
  fm_sem s;
  fm_sem_init(&s, 2);
  for (int i = 1; i <= 3; i++)
    spawn worker(&s, i);
  for (int i = 0; i < 5; i++)
    yield;
  printf("%zu\n", fm_sem_value(&s));
  for (int i = 0; i < 3; i++)
    printf("%d", fm_sem_try_wait(&s));
  printf("\n");
  auto t = spawn fm_sem_wait(&s);
  auto u = spawn fm_sem_wait(&s);
  yield;
  fm_cancel(fm_id(t));                            // it has had no effect: the other one gets it
  fm_sem_post(&s);
  await u;
  fm_detach(t);
  printf("%zu\n", fm_sem_value(&s));
}

// ---- mutexes and conditions ----
static fm_mutex m;
static fm_cond c;
static int items;

static async void consumer(int id) {
  fm_lock(&m);
  defer fm_unlock(&m);
  while (!items)
    fm_cond_wait(&c, &m);
  items--;
  printf("%d has one\n", id);
}

static async void never(void) {
  fm_lock(&m);
  defer fm_unlock(&m);
  fm_cond_wait(&c, &m);
}

static async void conditions(void) {
  for (int i = 1; i <= 3; i++)
    spawn consumer(i);
  yield;
  printf("%d", fm_try_lock(&m));
  printf("%d\n", fm_try_lock(&m));
  items = 1;
  fm_cond_signal(&c);
  fm_unlock(&m);
  yield;
  fm_lock(&m);
  items = 2;
  fm_cond_broadcast(&c);
  fm_unlock(&m);
  yield;
  yield;
  auto t = spawn never();
  yield;
  fm_cancel(fm_id(t));
  fm_join(fm_id(t));
  fm_detach(t);
  printf("%d\n", fm_try_lock(&m));
  fm_unlock(&m);
}

// ---- MVars ----
typedef fm_mvar(const char *) text_var;
static text_var var;

static async void put_three(void) {
  fm_put(&var, "one");
  fm_put(&var, "two");
  fm_put(&var, "three");
}

static async void mvars(void) {
  const char *s = NULL;
  fm_mvar_init(&var);
  printf("%d %d\n", fm_mvar_full(&var), fm_try_take(&var, &s));
  spawn put_three();
  s = fm_take(&var);
  printf("%s\n", s);
  s = fm_take(&var);
  printf("%s ", s);
  printf("%s\n", fm_take(&var));
  printf("%d ", fm_try_put(&var, "x"));
  printf("%d\n", fm_try_put(&var, "y"));
  scope(s2) {
    fm_cancel_after(s2, 1);
    fm_put(&var, "never");
  }
  printf("%d ", fm_try_take(&var, &s));
  printf("%s %d\n", s, fm_mvar_full(&var));
}

// ---- events ----
typedef fm_event(double) reading;
static reading e;

static async void listen(int id) {
  double v = fm_next(&e);
  printf("%d hears %g\n", id, v);
}

static async void events(void) {
  fm_event_init(&e);
  printf("%zu\n", fm_emit(&e, 1));
  spawn listen(1);
  spawn listen(2);
  yield;
  printf("%zu\n", fm_emit(&e, 2.5));
  yield;
}

// ---- wait groups, once ----
static fm_wait_group g;
static fm_once once, again;

static async void part(int i) {
  fm_sleep(3 - i);
  printf("part %d\n", i);
  fm_wait_group_done(&g);
}

static async void set_up(void *arg) {
  yield;
  printf("set up %s\n", (const char *)arg);
}

static async void user(fm_once *o) {
  fm_call_once(o, set_up, "once");
  printf("used\n");
}

static async void groups(void) {
  fm_wait_group_init(&g);
  fm_wait_group_wait(&g);
  fm_wait_group_add(&g, 2);
  spawn part(1);
  spawn part(2);
  fm_wait_group_wait(&g);
  printf("all parts\n");
  spawn user(&once);
  user(&once);
  auto t = spawn user(&again);
  yield;
  fm_cancel(fm_id(t));
  fm_detach(t);
  user(&again);
}

async int main(void) {
  semaphores();
  // expect: 1 in
  // expect: 2 in
  // expect: 3 in
  // expect: 2
  // expect: 110
  // expect: 0
  conditions();
  // expect: 10
  // expect: 1 has one
  // expect: 2 has one
  // expect: 3 has one
  // expect: 1
  mvars();
  // expect: 0 0
  // expect: one
  // expect: two three
  // expect: 1 0
  // expect: 1 x 0
  events();
  // expect: 0
  // expect: 2
  // expect: 1 hears 2.5
  // expect: 2 hears 2.5
  groups();
  // expect: part 2
  // expect: part 1
  // expect: all parts
  // expect: set up once
  // expect: used
  // expect: used
  // expect: set up once
  // expect: used
  return 0;
}
// env: FERMATA_DRIVER=virtual
