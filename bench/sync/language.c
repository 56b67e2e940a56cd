// What one needs every day, beside Go: nanoseconds for one operation, the best of many chunks.
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/broadcast.h>
#include <fermata/group.h>
#include <fermata/sync.h>

#include "../clock.h"

enum { N = 20000, CHUNKS = 40, HEARERS = 8 };
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

static const struct {
  const char *name;
  async void (*run)(void);
} questions[] = {
  { "permits", permits_by_weight }, { "tokens", tokens },   { "broadcast", broadcasts },
  { "latest", latest_values },      { "oneshot", one_shots }, { "group", limited_children },
  { "map", maps },                  { "local", locals },    { "ask", asks },
};

async int main(void) {
  enum { QUESTIONS = sizeof questions / sizeof *questions };
  double best[QUESTIONS] = { 0 };
  for (int k = 0; k < chunks(CHUNKS); k++)
    for (int i = 0; i < QUESTIONS; i++) {
      double then = now();
      questions[i].run();
      keep_best(&best[i], (now() - then) / N);
    }
  for (int i = 0; i < QUESTIONS; i++) printf("%s %.2f\n", questions[i].name, best[i]);
  return sum == 0;
}
