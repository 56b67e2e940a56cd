// Mailboxes, replies and agents in one domain and between threads.
// flags: -pthread
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/time.h>
#include <pthread.h>

typedef fm_mailbox(int) int_box;
typedef fm_reply(int) int_reply;
struct request { int n; int_reply *reply; };
typedef fm_agent(struct request) server;
struct bad { int n; };

// ---- from other threads ----
enum { THREADS = 4, EACH = 2000 };
static int_box box;

static void *poster(void *arg) {
  int id = (int)(intptr_t)arg;
  for (int i = 0; i < EACH; i++)
    fm_post(&box, id * EACH + i);
  return NULL;
}

static async void from_threads(void) {
  pthread_t t[THREADS];
  int next[THREADS] = { 0 }, wrong = 0;
  fm_mailbox_init(&box);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, poster, (void *)(intptr_t)i);
  for (int i = 0; i < THREADS * EACH; i++) {
    int v = fm_receive(&box), id = v / EACH;
    wrong += v % EACH != next[id]++;
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  printf("wrong: %d, left: %zu\n", wrong, fm_mailbox_count(&box));
  pthread_create(&t[0], NULL, poster, NULL);
  pthread_join(t[0], NULL);
  for (wrong = 0; fm_try_receive(&box, &next[0]);) // at once, without a pause
    wrong += next[0] != next[1]++ - EACH;
  printf("wrong: %d\n", wrong);
  fm_mailbox_free(&box);
}

// ---- in one domain ----
static async void reader(int id) {
  printf("%d has %d\n", id, fm_receive(&box));
}

static async void at_home(void) {
  int v = 0;
  fm_mailbox_init(&box);
  fm_post(&box, 1);
  fm_post(&box, 2);
  v = fm_receive(&box);
  printf("%d %d\n", v, fm_receive(&box));
  auto a = spawn reader(1);
  auto b = spawn reader(2);
  auto c = spawn reader(3);
  yield;
  fm_cancel(fm_id(a));
  fm_post(&box, 3);
  fm_cancel(fm_id(b));                            // too late: it has been served
  fm_post(&box, 4);
  fm_join(fm_id(a));
  await b;
  await c;
  fm_detach(a);
  printf("%d\n", fm_try_receive(&box, &v));
  fm_mailbox_free(&box);
}

// ---- replies ----
static void *answer_later(void *r) {
  fm_answer((int_reply *)r, 42);
  return NULL;
}

static async void replies(void) {
  int wrong = 0;
  for (int i = 0; i < 200; i++) {
    int_reply r;
    pthread_t t;
    fm_reply_init(&r);
    pthread_create(&t, NULL, answer_later, &r);
    if (i % 2)
      yield;
    wrong += fm_reply_wait(&r) != 42;
    pthread_join(t, NULL);
    wrong += fm_answer(&r, 1) || fm_reply_wait(&r) != 42;
  }
  printf("wrong: %d\n", wrong);
}

// ---- agents ----
static async void serve(void *self, void *arg) throws(struct bad) {
  int *seen = arg;
  for (server *s = self;;) {
    struct request r = fm_receive(s);
    ++*seen;
    if (r.n < 0)
      throw (struct bad){ r.n };
    if (r.n == 100)
      continue;                                   // never answers
    if (r.n == 0) {
      fm_answer(r.reply, 0);
      return;
    }
    fm_answer(r.reply, r.n * r.n);
  }
}

static async void agents(void) throws(fm_error) {
  server s;
  int seen = 0;
  fm_agent_init(&s);
  auto t = fm_agent_start(&s, serve, &seen, 2);
  printf("%d\n", fm_ask(&s, ((struct request){ .n = 3 }), reply, 1000));
  try {
    fm_ask(&s, ((struct request){ .n = 100 }), reply, 20);
  } catch (struct fm_timeout e) {
    printf("no answer in %d ms\n", (int)e.ms);
  }
  fm_post(&s, ((struct request){ .n = -1 }));
  printf("%d\n", fm_ask(&s, ((struct request){ .n = 4 }), reply, FM_NO_LIMIT));
  printf("started again: %u\n", fm_agent_restarts(&s));
  fm_ask(&s, ((struct request){ .n = 0 }), reply, 1000);
  await t;
  printf("seen: %d\n", seen);
  auto again = fm_agent_start(&s, serve, &seen, 2); // as often as before
  fm_post(&s, ((struct request){ .n = -2 }));
  fm_post(&s, ((struct request){ .n = -3 }));
  fm_ask(&s, ((struct request){ .n = 0 }), reply, 1000);
  await again;
  printf("started again: %u\n", fm_agent_restarts(&s));
  auto u = fm_agent_start(&s, serve, &seen, 0);
  fm_post(&s, ((struct request){ .n = -5 }));
  try {
    await u;
  } catch (struct bad e) {
    printf("bad %d\n", e.n);
  }
  fm_agent_free(&s);
}

async int main(void) {
  from_threads();                                 
  // expect: wrong: 0, left: 0
  // expect: wrong: 0
  at_home();
  // expect: 1 2
  // expect: 2 has 3
  // expect: 3 has 4
  // expect: 0
  replies();                                      // expect: wrong: 0
  try {
    agents();
    // expect: 9
    // expect: no answer in 20 ms
    // expect: 16
    // expect: started again: 1
    // expect: seen: 5
    // expect: started again: 3
    // expect: bad -5
  } catch (fm_error *e) {
    fm_error_print(e, stdout);
  }
  return 0;
}
