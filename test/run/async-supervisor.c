// Supervisors, after the cases of OTP's supervisor_SUITE: order of starts and stops, the three
// strategies, the three kinds of children, intensity, a child that fails in its start, nesting.
// env: FERMATA_DRIVER=virtual FERMATA_TICK=off
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/sync.h>
#include <fermata/time.h>

struct crash { int n; };
typedef struct { const char *name; int starts, fails_start_at; fm_sem crash, leave; } worker;
static worker a = { .name = "a" }, b = { .name = "b" }, c = { .name = "c" };
static fm_supervisor s;
static int heard;

static void hear(const fm_error *e, void *arg) {
  (void)e, (void)arg;
  heard++;
}

static async void start(void *arg) throws(struct crash) {
  worker *w = arg;
  if (++w->starts == w->fails_start_at) {
    printf(" !%s", w->name);
    throw (struct crash){ 0 };
  }
  printf(" +%s", w->name);
}

static async void wait_for(worker *w) throws(struct crash) {
  race {
  case fm_sem_wait(&w->crash): throw (struct crash){ w->starts };
  case fm_sem_wait(&w->leave): return;
  }
}

static async void body(void *arg) throws(struct crash) {
  worker *w = arg;
  defer {
    fm_sleep(1); // the next one is stopped after this
    printf(" -%s", w->name);
  }
  wait_for(w);
}

static async void add(worker *w, fm_keep keep) throws(struct fm_gave_up) {
  const char *name = w->name;
  *w = (worker){ .name = name, .fails_start_at = w->fails_start_at };
  fm_child child = { .name = name, .start = start, .body = body, .arg = w, .keep = keep };
  fm_supervisor_add(&s, child);
}

static async void setup(fm_strategy how, int times, fm_keep keep) throws(struct fm_gave_up) {
  heard = 0;
  struct fm_restart limit = { .times = times, .within_ms = 1000, .on_error = hear };
  fm_supervisor_init(&s, how, limit);
  add(&a, keep);
  add(&b, keep);
  add(&c, keep);
}

static async void supervise(void) {
  try {
    fm_supervisor_run(&s);
    printf(" returned");
  } catch (struct fm_gave_up e) {
    printf(" gave up on %s: %s", e.child, e.error ? e.error : "-");
    printf(e.starting ? ", starting" : "");
  }
}

static async void crash(worker *w) {
  fm_sem_post(&w->crash);
  fm_sleep(10);
}

static async void leave(worker *w) {
  fm_sem_post(&w->leave);
  fm_sleep(10);
}

static async void end(fm_activity id) {
  printf(" |");
  fm_cancel(id);
  fm_join(id);
  printf(" (%zu, %d)\n", fm_supervisor_count(&s), heard);
  fm_supervisor_free(&s);
}

// one for one, one for all, rest for one:
// expect:  +a +b +c | -b +b | -a +a | -c +c | -c -b -a (0, 1)
// expect:  +a +b +c | -b -c -a +a +b +c | -a -c -b +a +b +c | -c -b -a +a +b +c | -c -b -a (0, 1)
// expect:  +a +b +c | -b -c +b +c | -a -c -b +a +b +c | -c +c | -c -b -a (0, 1)
static async void strategy(fm_strategy how) throws(struct fm_gave_up) {
  setup(how, 5, FM_PERMANENT);
  auto t = spawn supervise();
  fm_sleep(10);
  printf(" |");
  crash(&b);
  printf(" |");
  leave(&a); // a permanent child is started again when it returns, too
  printf(" |");
  fm_cancel(fm_supervisor_child(&s, "c")); // and when others cancel it
  fm_sleep(10);
  end(fm_id(t));
  fm_detach(t);
}

static async void intensity(void) throws(struct fm_gave_up) {
  setup(FM_ONE_FOR_ONE, 2, FM_PERMANENT);
  auto t = spawn supervise();
  for (int i = 0; i < 3; i++)
    fm_sleep(10), crash(&a);
  fm_sleep(10);
  end(fm_id(t)); // expect:  +a +b +c -a +a -a +a -a -c -b gave up on a: crash | (0, 3)
  fm_detach(t);
  setup(FM_ONE_FOR_ONE, 2, FM_PERMANENT); // not in one period
  t = spawn supervise();
  for (int i = 0; i < 4; i++)
    fm_sleep(600), crash(&a);
  end(fm_id(t)); // expect:  +a +b +c -a +a -a +a -a +a -a +a | -c -b -a (0, 4)
  fm_detach(t);
  setup(FM_ONE_FOR_ONE, 0, FM_PERMANENT);
  t = spawn supervise();
  fm_sleep(10);
  crash(&c);
  end(fm_id(t)); // expect:  +a +b +c -c -b -a gave up on c: crash | (0, 1)
  fm_detach(t);
}

static async void kinds(void) throws(struct fm_gave_up) {
  setup(FM_ONE_FOR_ONE, 9, FM_TRANSIENT);
  auto t = spawn supervise();
  fm_sleep(10);
  crash(&a);
  leave(&a);
  fm_cancel(fm_supervisor_child(&s, "b"));
  leave(&c);
  end(fm_id(t)); // expect:  +a +b +c -a +a -a -b -c returned | (0, 1)
  fm_detach(t);
  setup(FM_ONE_FOR_ONE, 9, FM_TEMPORARY);
  t = spawn supervise();
  fm_sleep(10);
  crash(&a);
  crash(&b);
  leave(&c);
  end(fm_id(t)); // expect:  +a +b +c -a -b -c returned | (0, 2)
  fm_detach(t);
  setup(FM_ONE_FOR_ALL, 9, FM_PERMANENT);
  add(&(worker){ .name = "t" }, FM_TEMPORARY);
  t = spawn supervise();
  fm_sleep(10);
  crash(&b);
  end(fm_id(t));
  // expect:  +a +b +c +t -b -t -c -a +a +b +c | -c -b -a (0, 1)
  fm_detach(t);
}

static async void starts(void) throws(struct fm_gave_up) {
  b.fails_start_at = 1;
  setup(FM_ONE_FOR_ONE, 9, FM_PERMANENT);
  auto t = spawn supervise();
  fm_sleep(10);
  end(fm_id(t)); // expect:  +a !b -a gave up on b: crash, starting | (0, 1)
  fm_detach(t);
  b.fails_start_at = 2; // when it is started again: that is one more failure
  setup(FM_REST_FOR_ONE, 9, FM_PERMANENT);
  t = spawn supervise();
  fm_sleep(10);
  crash(&b);
  end(fm_id(t)); // expect:  +a +b +c -b -c !b +b +c | -c -b -a (0, 2)
  fm_detach(t);
  b.fails_start_at = 0;
}

static async void by_name(void) throws(struct fm_gave_up) {
  setup(FM_ONE_FOR_ALL, 9, FM_PERMANENT);
  auto t = spawn supervise();
  fm_sleep(10);
  printf(" %d", fm_supervisor_stop(&s, "b"));
  printf(" %d", fm_supervisor_stop(&s, "b"));
  crash(&a); // b stays away
  printf(" %d", fm_supervisor_start(&s, "b"));
  printf(" %d %d", fm_supervisor_start(&s, "b"), fm_supervisor_start(&s, "x"));
  worker d = { .name = "d" };
  add(&d, FM_PERMANENT);
  printf(" %zu", fm_supervisor_count(&s));
  end(fm_id(t));
  // expect:  +a +b +c -b 1 0 -a -c +a +c +b 1 0 0 +d 4 | -d -c -b -a (0, 1)
  fm_detach(t);
}

static async void nested_body(void *arg) throws(struct fm_gave_up) {
  (void)arg;
  setup(FM_ONE_FOR_ONE, 1, FM_PERMANENT);
  defer fm_supervisor_free(&s);
  fm_supervisor_run(&s);
}

static async void nested(void) throws(struct fm_gave_up) {
  fm_supervisor top;
  fm_supervisor_init(&top, FM_ONE_FOR_ONE, (struct fm_restart){ .times = 1, .on_error = hear });
  fm_supervisor_add(&top, (fm_child){ .name = "inner", .body = nested_body });
  auto t = spawn fm_supervisor_run(&top);
  for (int i = 0; i < 2; i++)
    fm_sleep(10), crash(&a);
  printf(" |");
  fm_cancel(fm_id(t));
  fm_join(fm_id(t));
  printf("\n"); // expect:  +a +b +c -a +a -a -c -b +a +b +c | -c -b -a
  fm_detach(t);
  fm_supervisor_free(&top);
}

async int main(void) {
  try {
    strategy(FM_ONE_FOR_ONE);
    strategy(FM_ONE_FOR_ALL);
    strategy(FM_REST_FOR_ONE);
    intensity();
    kinds();
    starts();
    by_name();
    nested();
  } catch (struct fm_gave_up e) {
    printf("no: %s\n", e.child);
  }
  return 0;
}
