// fm_end_of: how an activity has ended, for any number of others: returned, an error, a cancel;
// before and after its end; in another domain; without taking the result from anybody.
// env: FERMATA_TICK=off
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/sync.h>
#include <fermata/time.h>

struct crash { int n; };
static fm_sem go;
static const char *const names[] = { "unknown", "returned", "error", "cancelled" };

static async int work(int how) throws(struct crash) {
  fm_sem_wait(&go);
  if (how == FM_END_ERROR)
    throw (struct crash){ 7 };
  return how;
}

static async void watch(fm_activity a, const char *who) {
  fm_outcome o = fm_end_of(a);
  printf("%s: %s %s\n", who, names[o.how], o.error ? o.error : "-");
}

static async void watch_twice(int how) throws(fm_error) {
  fm_sem_init(&go, 0);
  auto t = spawn now work(how);
  auto a = spawn now watch(fm_id(t), "first");
  auto b = spawn now watch(fm_id(t), "second");
  auto gone = spawn now watch(fm_id(t), "gives up");
  fm_cancel(fm_id(gone));
  if (how == FM_END_CANCELLED)
    fm_cancel(fm_id(t));
  fm_sem_post(&go);
  await a;
  await b;
  fm_join(fm_id(gone));
  fm_detach(gone);
  watch(fm_id(t), "later"); // its task is held
  fm_activity id = fm_id(t);
  try {
    printf("awaited %d\n", await t);
  } catch (struct crash e) {
    printf("thrown %d\n", e.n);
  } catch (struct fm_cancelled e) {
    printf("cancelled\n");
  }
  watch(id, "too late");
}

static async void in_a_scope(void) {
  fm_sem_init(&go, 0);
  try {
    scope (s) {
      auto w = spawn now work(FM_END_ERROR);
      fm_activity id = fm_id(w);
      fm_detach(w);
      spawn detached watch(id, "of a scope");
      yield;
      fm_sem_post(&go);
    }
  } catch (struct crash e) {
    printf("scope %d\n", e.n);
  }
  yield;
}

// expect: first: returned -
// expect: second: returned -
// expect: later: returned -
// expect: awaited 1
// expect: too late: unknown -
// expect: first: error crash
// expect: second: error crash
// expect: later: error crash
// expect: thrown 7
// expect: too late: unknown -
// expect: first: cancelled -
// expect: second: cancelled -
// expect: later: cancelled -
// expect: cancelled
// expect: too late: unknown -
// expect: of a scope: error crash
// expect: scope 7

static async void inside(void) throws(struct crash) {
  auto t = spawn work(1);
  fm_outcome o = fm_end_of(fm_id(t));
  printf("atomic: %s\n", names[o.how]); // expect: atomic: returned
  await t;
}

static async void in_an_atomic(void) throws(struct crash) {
  fm_sem_init(&go, 1);
  atomic inside();
}

static async void in_a_race(void) throws(struct crash) {
  fm_sem_init(&go, 0);
  auto t = spawn now work(1);
  race {
  case fm_outcome o = fm_end_of(fm_id(t)): printf("no %d\n", o.how);
  case fm_sleep(1): printf("not yet\n"); // expect: not yet
  }
  fm_sem_post(&go);
  race {
  case fm_outcome o = fm_end_of(fm_id(t)): printf("%s\n", names[o.how]); // expect: returned
  case fm_sleep(1000): printf("no\n");
  }
  await t;
}

static async int there(int how) throws(struct crash) {
  fm_sleep(how == FM_END_CANCELLED ? 100000 : 1);
  if (how == FM_END_ERROR)
    throw (struct crash){ 8 };
  return how;
}

static async void elsewhere(int how) throws(fm_error) {
  fm_domain *d = fm_domain_new(NULL);
  auto t = spawn on(d) there(how);
  auto a = spawn now watch(fm_id(t), "there");
  if (how == FM_END_CANCELLED) {
    fm_sleep(1);
    fm_cancel(fm_id(t));
  }
  await a;
  try {
    await t;
  } catch (fm_error *e) {
    (void)e;
  }
  fm_domain_free(d);
}

static void ignore(const fm_error *e, fm_activity a, void *arg) {
  (void)e, (void)a, (void)arg;
}

async int main(void) {
  fm_on_error(ignore, NULL);
  try {
    for (int how = FM_END_RETURNED; how <= FM_END_CANCELLED; how++)
      watch_twice(how);
    in_a_scope();
    in_an_atomic();
    in_a_race();
    elsewhere(FM_END_RETURNED);
    elsewhere(FM_END_CANCELLED);
    // expect: there: returned -
    // expect: there: cancelled -
    elsewhere(FM_END_ERROR); // expect: there: error crash
  } catch (fm_error *e) {
    fm_error_print(e, stdout);
  }
  return 0;
}
