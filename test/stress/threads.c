// stress: mailboxes, replies and agents between plain threads, the domains of a pool and this one, while those that receive are cancelled,
// paused, and race. What one thread does is in no known order with what others do; but each message is received exactly once, each receiver
// has those of one sender in order, each question that is not given up gets its own answer, whoever waits is woken (else this hangs).
//     threads OPERATIONS SEED
// env: FERMATA_DRIVER=virtual
// flags: -pthread
// expect: ok
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/pool.h>
#include <fermata/time.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#pragma fermata auto_yield off

enum { THREADS = 2, DOMAINS = 2, SENDERS = THREADS + DOMAINS + 1, RECEIVERS = 4, BOXES = 2 };

static uint64_t first_seed;
static fm_pool *pool;

static unsigned draw(uint64_t *seed, unsigned n) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(*seed >> 33) % n;
}

static uint64_t seed_of(int who) {
  return (first_seed + (uint64_t)who) * 2862933555777941757u + 1;
}

static void check(bool ok, const char *what) {
  if (ok)
    return;
  printf("wrong: %s\n", what);
  fflush(stdout);
  _Exit(1);
}

// ---- messages: a value names its sender and its number ----
typedef fm_mailbox(uint64_t) box;
static box boxes[BOXES];
static uint64_t each;                             // how many each sender sends
static uint64_t arrived;
static uint8_t *got;                              // by value

static void post_some(int sender, uint64_t *at, uint64_t *seed) {
  for (unsigned n = 1 + draw(seed, 20); n > 0 && *at < each; n--, ++*at)
    fm_post(&boxes[draw(seed, BOXES)], (uint64_t)sender * each + *at);
}

static void *send_plain(void *arg) {
  int sender = (int)(intptr_t)arg;
  uint64_t seed = seed_of(sender), at = 0;
  while (at < each) {
    post_some(sender, &at, &seed);
    if (draw(&seed, 2))
      sched_yield();
  }
  return NULL;
}

static async void send_from(int sender) {
  uint64_t seed = seed_of(sender), at = 0;
  while (at < each) {
    post_some(sender, &at, &seed);
    if (draw(&seed, 2))
      yield;
  }
}

typedef struct Receiver { uint64_t next[BOXES][SENDERS]; fm_activity id; bool lives; } Receiver;
static Receiver receivers[RECEIVERS];
static uint64_t here = 1;                         // the seed of this domain

static void take(Receiver *r, int i, uint64_t v) {
  uint64_t sender = v / each, number = v % each;
  check(sender < SENDERS && !got[v], "a message that was never sent, or came twice");
  check(number >= r->next[i][sender], "messages of one sender out of order");
  r->next[i][sender] = number + 1;
  got[v] = 1;
  arrived++;
}

static async void receive_one(Receiver *r) {
  int i = (int)draw(&here, BOXES);
  uint64_t v;
  v = fm_receive(&boxes[i]);
  take(r, i, v);
}

static async void receive_any(Receiver *r) {
  uint64_t v = 0;
  race {
  case v = fm_receive(&boxes[0]): take(r, 0, v);
  case v = fm_receive(&boxes[1]): take(r, 1, v);
  case fm_sleep(1): break;
  }
}

static async void receive_some(Receiver *r) {
  defer r->lives = false;
  while (arrived < SENDERS * each) {
    uint64_t v = 0;
    switch (draw(&here, 4)) {
    case 0: receive_one(r); break;
    case 1: receive_any(r); break;
    case 2:
      scope(s) {
        fm_cancel_after(s, 1);
        receive_one(r);
      }
      break;
    default:
      if (fm_try_receive(&boxes[0], &v))
        take(r, 0, v);
      yield;
    }
  }
}

static void start_receiver(Receiver *r) {
  auto t = spawn detached receive_some(r);
  r->id = fm_id(t);
  r->lives = true;
  fm_detach(t);
}

static void disturb(Receiver *r) {
  if (!r->lives)
    start_receiver(r);
  else if (!draw(&here, 3))
    fm_cancel(r->id);
  else
    (draw(&here, 2) ? fm_pause : fm_resume)(r->id);
}

static async void messages(void) {
  pthread_t threads[THREADS];
  task(void) t[DOMAINS + 1];
  got = calloc(SENDERS, each);
  for (int i = 0; i < BOXES; i++)
    fm_mailbox_init(&boxes[i]);
  for (int i = 0; i < THREADS; i++)
    check(pthread_create(&threads[i], NULL, send_plain, (void *)(intptr_t)i) == 0, "no thread");
  for (int i = 0; i < DOMAINS; i++)
    t[i] = spawn on(fm_pool_domain(pool, i)) send_from(THREADS + i);
  t[DOMAINS] = spawn send_from(THREADS + DOMAINS);
  for (int i = 0; i < RECEIVERS; i++)
    start_receiver(&receivers[i]);
  while (arrived < SENDERS * each) {
    disturb(&receivers[draw(&here, RECEIVERS)]);
    if (draw(&here, 2))
      yield;
    else
      fm_sleep(1);
  }
  for (int i = 0; i <= DOMAINS; i++)
    await t[i];
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < RECEIVERS; i++)
    fm_cancel(receivers[i].id);
  for (int i = 0; i < RECEIVERS; i++)
    fm_join(receivers[i].id);
  for (int i = 0; i < BOXES; i++) {
    check(fm_mailbox_count(&boxes[i]) == 0, "a message that was never sent");
    fm_mailbox_free(&boxes[i]);
  }
  free(got);
}

// ---- questions: answered by the agent, or by a plain thread to which it hands them ----
typedef fm_reply(uint64_t) reply;
struct question { uint64_t n; reply *reply; bool last; };
typedef fm_agent(struct question) server;
static server agent;
static _Atomic uint64_t in_time, too_late;

static struct { pthread_mutex_t lock; pthread_cond_t more; struct question q[1024]; unsigned first, end; bool over; } work = {
  .lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER
};

static uint64_t answer_to(uint64_t n) { return n * n + 1; }

static bool agent_over;                           // then an answer may come too late; atomic

static void give(struct question q) {
  bool counts = fm_answer(q.reply, answer_to(q.n));
  check(counts || __atomic_load_n(&agent_over, __ATOMIC_SEQ_CST), "it had been answered");
}

static bool hand_over(struct question q) {        // false: there is no room
  bool room;
  pthread_mutex_lock(&work.lock);
  if ((room = work.end - work.first < 1024))
    work.q[work.end++ % 1024] = q;
  pthread_cond_signal(&work.more);
  pthread_mutex_unlock(&work.lock);
  return room;
}

static void *answer_all(void *unused) {
  (void)unused;
  pthread_mutex_lock(&work.lock);
  while (!work.over || work.first != work.end) {
    if (work.first == work.end) {
      pthread_cond_wait(&work.more, &work.lock);
      continue;
    }
    struct question q = work.q[work.first++ % 1024];
    pthread_mutex_unlock(&work.lock);
    give(q);
    pthread_mutex_lock(&work.lock);
  }
  pthread_mutex_unlock(&work.lock);
  return NULL;
}

static async void serve(void *self, void *arg) {
  (void)arg;
  for (server *s = self;;) {
    struct question q = fm_receive(s);
    if (q.last) {
      __atomic_store_n(&agent_over, true, __ATOMIC_SEQ_CST);
      return;
    }
    if (!draw(&here, 2) || !hand_over(q))
      give(q);
    if (!draw(&here, 4))
      yield;
  }
}

static async void ask_one(uint64_t n, uint64_t ms) {
  uint64_t v;
  try {
    v = fm_ask(&agent, ((struct question){ .n = n }), reply, ms);
    check(v == answer_to(n), "the answer to another question");
    in_time++;
  } catch (struct fm_timeout e) {
    (void)e;
    too_late++;
  } catch (struct fm_gone e) {
    check(!e.error && 0, "the agent lives as long as the askers do");
  }
}

static async void ask_some(int who) {
  uint64_t seed = seed_of(who);
  for (uint64_t i = 0; i < each; i++) {
    uint64_t n = (uint64_t)who * each + i;
    if (draw(&seed, 2))
      ask_one(n, draw(&seed, 2) ? FM_NO_LIMIT : 1 + draw(&seed, 3));
    else
      scope(s) {
        fm_cancel_after(s, 1 + draw(&seed, 2));
        ask_one(n, FM_NO_LIMIT);
      }
  }
}

static async void questions(void) throws(fm_error) {
  pthread_t threads[THREADS];
  task(void) t[DOMAINS + 1];
  fm_agent_init(&agent);
  for (int i = 0; i < THREADS; i++)
    check(pthread_create(&threads[i], NULL, answer_all, NULL) == 0, "no thread");
  auto serving = fm_agent_start(&agent, serve, NULL, 0);
  for (int i = 0; i < DOMAINS; i++)
    t[i] = spawn on(fm_pool_domain(pool, i)) ask_some(i);
  t[DOMAINS] = spawn ask_some(DOMAINS);
  for (int i = 0; i <= DOMAINS; i++)
    await t[i];
  fm_post(&agent, ((struct question){ .last = true }));
  await serving;
  pthread_mutex_lock(&work.lock);
  work.over = true;
  pthread_cond_broadcast(&work.more);
  pthread_mutex_unlock(&work.lock);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  check(in_time > 0, "no answer came in time");
  fm_agent_free(&agent);
}

// ---- replies that are the program's: several wait, and give up, and wait again, while a thread answers ----
static void *answer_one(void *arg) {
  reply *r = arg;
  fm_answer(r, 42);
  return NULL;
}

static async void wait_for(reply *r, int i) {
  if (i % 2)
    scope(s) {
      fm_cancel_after(s, (uint64_t)i);
      fm_reply_wait(r);
    }
  check(fm_reply_wait(r) == 42, "another answer");
}

static async void replies(uint64_t n) {
  while (n-- > 0) {
    pthread_t thread;
    reply r;
    task(void) t[3];
    fm_reply_init(&r);
    check(pthread_create(&thread, NULL, answer_one, &r) == 0, "no thread");
    for (int i = 0; i < 3; i++)
      t[i] = spawn wait_for(&r, i);
    for (int i = 0; i < 3; i++)
      await t[i];
    pthread_join(thread, NULL);
    check(!fm_answer(&r, 43), "it was answered twice");
  }
}

static async void play(void) {
  pool = fm_pool_new(DOMAINS);
  check(pool != NULL, "no pool");
  messages();
  try {
    questions();
  } catch (fm_error *e) {
    fm_error_print(e, stdout);
    check(false, "the agent throws");
  }
  replies(each / 20);
  fm_pool_free(pool);
}

int main(int argc, char **argv) {
  each = (argc > 1 ? strtoull(argv[1], NULL, 10) : 20000) / SENDERS;
  first_seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  run play();
  printf("ok\n");
  return 0;
}
