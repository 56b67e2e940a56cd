// What one needs every day, beside Go: nanoseconds for one operation, the best of many chunks.
// Ticks: processor time, because they wait.
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/broadcast.h>
#include <fermata/group.h>
#include <fermata/sync.h>
#include <fermata/time.h>

#include "../clock.h"

enum { N = 20000, CHUNKS = 40, HEARERS = 8, TIMERS = 1000 };
typedef fm_broadcast(int) news;
typedef fm_subscriber(int) reader;
typedef fm_latest(int) newest;
typedef fm_oneshot(int) once;
typedef fm_reply(int) reply;
struct question { int n; reply *answer; };
typedef fm_agent(struct question) server;

static fm_local(int) request;
static fm_sem permits;
static long sum;

static async int work(int n) { return n; }

// Two activities that each take two of three permits: every wait is for the other one.
static async void take_two(int n) {
  for (int i = 0; i < n; i++) {
    fm_sem_wait_n(&permits, 2);
    yield;
    fm_sem_post_n(&permits, 2);
  }
}
static async void permits_by_weight(void) {
  fm_sem_init(&permits, 3);
  scope {
    spawn take_two(N / 2);
    spawn take_two(N / 2);
  }
}

static async void tokens(void) {
  fm_limiter l;
  fm_limiter_init(&l, 1000000, 1, N);
  for (int i = 0; i < N; i++) fm_limiter_wait(&l);
}

static async void hear(news *b) {
  reader r;
  fm_subscriber_init(&r, b, 0);
  defer fm_subscriber_free(&r);
  for (int v; fm_hear_or_closed(&r, &v);) sum += v;
}
static async void broadcasts(void) { // a value is one for each hearer
  news b;
  fm_broadcast_init(&b, 16, FM_HOLD);
  scope {
    for (int i = 0; i < HEARERS; i++) spawn now hear(&b);
    try {
      for (int i = 0; i < N / HEARERS; i++) fm_publish(&b, 1);
    } catch (struct fm_closed e) {
      (void)e;
    }
    fm_broadcast_close(&b);
  }
  fm_broadcast_free(&b);
}

static async void follow(newest *l) {
  uint64_t seen = 0;
  while (fm_latest_next(l, &seen) < N) sum++;
}
static async void latest_values(void) {
  newest l;
  fm_latest_init(&l, 0);
  scope {
    spawn now follow(&l);
    for (int i = 1; i <= N; i++) {
      fm_latest_set(&l, i);
      yield;
    }
  }
}

static async void wait_once(once *o) { sum += fm_oneshot_wait(o); }
static async void one_shots(void) { // with its waiter
  for (int i = 0; i < N; i++) {
    once o;
    fm_oneshot_init(&o);
    scope {
      spawn now wait_once(&o);
      fm_oneshot_set(&o, 1);
    }
  }
}

static async void limited_children(void) {
  fm_group g;
  fm_group_init(&g, 4);
  scope for (int i = 0; i < N; i++) fm_group_spawn(&g, work(i));
}

static async void maps(void) {
  static int in[N], out[N];
  fm_map(out, in, N, 4, work);
}

static async void locals(void) {
  fm_local_set(&request, 1);
  for (int i = 0; i < N; i++) sum += fm_local_get(&request);
}

static async void serve(void *self, void *arg) throws(fm_error) {
  server *s = self;
  (void)arg;
  for (;;) {
    struct question q = fm_receive(s);
    fm_answer(q.answer, q.n);
  }
}
static async void asks(void) {
  server s;
  fm_agent_init(&s);
  try {
    scope (k) {
      fm_agent_start_with(&s, serve, NULL, (struct fm_restart){ .times = 1 });
      for (int i = 0; i < N; i++)
        sum += fm_ask(&s, ((struct question){ .n = 1 }), answer, FM_NO_LIMIT);
      fm_cancel(k);
    }
  } catch (fm_error *e) {
    fm_error_print(e, stderr);
    abort();
  }
  fm_agent_free(&s);
}

// A wait with a time limit that a signal ends, and the signal.
static fm_mutex lock;
static fm_cond signalled;
static async void wait_with_limit(void) {
  fm_lock(&lock);
  for (int i = 0; i < N; i++) sum += fm_cond_wait_for(&signalled, &lock, 10000);
  fm_unlock(&lock);
}
static async void limited_waits(void) {
  fm_mutex_init(&lock);
  fm_cond_init(&signalled);
  scope {
    spawn now wait_with_limit();
    for (int i = 0; i < N; i++) {
      fm_cond_signal(&signalled);
      yield;
    }
  }
}

static async void tick(int n) {
  fm_timer t = fm_every(1);
  for (int i = 0; i < n; i++) fm_tick(&t);
}
static async void ticks(void) {
  scope for (int i = 0; i < TIMERS; i++) spawn tick(N / TIMERS);
}

// A child that fails at once, and is started again.
struct broken { int times; };
static int lives;
static async void fail(void *arg) throws(fm_error) {
  (void)arg;
  if (lives++ < N) throw (struct broken){ lives };
}
static void unheard(const fm_error *e, void *arg) { (void)e, (void)arg; }
static async void restarts(void) {
  fm_supervisor s;
  struct fm_restart how = { .times = -1, .on_error = unheard };
  lives = 0;
  fm_supervisor_init(&s, FM_ONE_FOR_ONE, how);
  try {
    fm_supervisor_add(&s, (fm_child){ .body = fail, .keep = FM_TRANSIENT });
    fm_supervisor_run(&s);
  } catch (struct fm_gave_up e) {
    abort();
  }
  fm_supervisor_free(&s);
}

static async void ends(void) { // of an activity, seen by another that does not await it
  for (int i = 0; i < N; i++) {
    auto t = spawn work(i);
    sum += fm_end_of(fm_id(t)).how == FM_END_RETURNED;
    await t;
  }
}

static const struct {
  const char *name;
  async void (*run)(void);
} questions[] = {
  { "permits", permits_by_weight }, { "tokens", tokens },   { "broadcast", broadcasts },
  { "latest", latest_values },      { "oneshot", one_shots }, { "group", limited_children },
  { "map", maps },                  { "local", locals },    { "ask", asks },
  { "condfor", limited_waits },     { "tick", ticks },        { "restart", restarts },
  { "end", ends },
};

async int main(void) {
  enum { QUESTIONS = sizeof questions / sizeof *questions };
  double best[QUESTIONS] = { 0 };
  for (int k = 0; k < chunks(CHUNKS); k++)
    for (int i = 0; i < QUESTIONS; i++) {
      double (*clock)(void) = questions[i].run == ticks ? cpu_now : now;
      double then = clock();
      questions[i].run();
      keep_best(&best[i], (clock() - then) / N);
    }
  for (int i = 0; i < QUESTIONS; i++) printf("%s %.2f\n", questions[i].name, best[i]);
  return sum == 0;
}
