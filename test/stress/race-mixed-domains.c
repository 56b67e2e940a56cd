// Races whose arms wait at home (a mailbox, a mutex) and in another domain (a semaphore, a channel,
// an event, a wait group), with cancels of single arms' races. Exactly one arm has an effect: what
// was posted, sent, given out and emitted is counted by those who did it, and by those who got it.
// Takes TURNS SEED.
// args: 300 1
// expect: messages ok
// expect: tokens ok
// expect: values ok
// expect: events ok
// expect: mutex ok
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/pool.h>
#include <fermata/sync.h>
#include <fermata/time.h>

#include <stdlib.h>

typedef fm_chan(int) chan;
typedef fm_event(int) event;
typedef fm_mailbox(int) mailbox;
enum { WORKERS = 4 };

static chan values;
static event news;
static fm_sem tokens, ready;
static fm_wait_group group;
static mailbox box[WORKERS];
static fm_mutex mutex[WORKERS];
static int turns, begun, working, owning = 1;
static int posted, received, given, waited, sent, got, emitted, heard, locked;

static int add(int *n, int by) { return __atomic_add_fetch(n, by, __ATOMIC_SEQ_CST); }

typedef struct Worker { int id; unsigned random; } Worker;

static int draw(Worker *w, int n) {
  w->random = w->random * 1103515245u + 12345u;
  return (int)(w->random >> 16) % n;
}

static async int hear(void) { return fm_next(&news); }

static async void one(Worker *w) throws(struct fm_closed) {
  int v;
  race {
  case v = fm_receive(&box[w->id]): add(&received, 1);
  case fm_sem_wait(&tokens): add(&waited, 1);
  case v = fm_recv(&values): add(&got, 1);
  case v = fm_next(&news): add(&heard, 1);
  case fm_lock(&mutex[w->id]): add(&locked, 1); fm_unlock(&mutex[w->id]);
  case fm_wait_group_wait(&group): ;
  case fm_sleep((uint64_t)draw(w, 3)): ;
  }
  (void)v;
}

// the far arms first
static async void other(Worker *w) throws(struct fm_closed) {
  int v;
  race {
  case v = hear(): add(&heard, 1);
  case v = fm_recv(&values): add(&got, 1);
  case fm_sem_wait(&tokens): add(&waited, 1);
  case v = fm_receive(&box[w->id]): add(&received, 1);
  case fm_sleep((uint64_t)draw(w, 2)): ;
  }
  (void)v;
}

static async void work(int id, int seed) throws(struct fm_closed) {
  Worker w = { id, (unsigned)(seed * 977 + id * 7919 + 1) };
  fm_mailbox_init(&box[id]);
  fm_mutex_init(&mutex[id]);
  add(&begun, 1);
  for (int i = 0; i < turns; i++) {
    bool holds = draw(&w, 2) && fm_try_lock(&mutex[id]);
    if (draw(&w, 3) == 0) { // there at once, in one arm
      add(&posted, 1);
      fm_post(&box[id], i);
    }
    scope (s) {
      if (draw(&w, 3) == 0) fm_cancel_after(s, (uint64_t)draw(&w, 2));
      if (draw(&w, 2)) one(&w);
      else other(&w);
    }
    if (holds) fm_unlock(&mutex[id]);
  }
  if (fm_try_lock(&mutex[id])) fm_unlock(&mutex[id]);
  else printf("a mutex is held by no one\n");
  add(&working, -1);
  while (__atomic_load_n(&owning, __ATOMIC_SEQ_CST)) fm_sleep(1);
  int v = 0;
  for (bool more = true; more;) { // what is left
    more = false;
    race {
    case v = fm_receive(&box[id]): add(&received, 1); more = true;
    case fm_sleep(1): ;
    }
  }
  (void)v;
}

// the owner of the far objects gives as well
static async void own(int seed) throws(struct fm_closed) {
  Worker w = { 0, (unsigned)seed };
  fm_chan_init(&values, 0);
  fm_event_init(&news);
  fm_sem_init(&tokens, 0);
  fm_wait_group_init(&group);
  fm_wait_group_add(&group, 1);
  fm_sem_post(&ready);
  while (__atomic_load_n(&begun, __ATOMIC_SEQ_CST) < WORKERS) fm_sleep(1);
  while (__atomic_load_n(&working, __ATOMIC_SEQ_CST) > 0) {
    switch (draw(&w, 4)) {
    case 0: add(&given, 1); fm_sem_post(&tokens); break;
    case 1: add(&emitted, (int)fm_emit(&news, 1)); break;
    case 2:
      race {
      case fm_send(&values, 1): add(&sent, 1);
      case fm_sleep(1): ;
      }
      break;
    default:
      for (int i = 0; i < WORKERS; i++)
        if (draw(&w, 2)) {
          add(&posted, 1);
          fm_post(&box[i], 1);
        }
      fm_sleep(1);
    }
  }
  while (fm_sem_try_wait(&tokens)) add(&waited, 1);
  add(&owning, -1);
}

static void compare(const char *what, int gave, int took) {
  if (gave == took) printf("%s ok\n", what);
  else printf("%s: %d were given, %d were taken\n", what, gave, took);
}

async int main(int argc, char **argv) {
  fm_pool *p = fm_pool_new(2);
  turns = argc > 1 ? atoi(argv[1]) : 100;
  int seed = argc > 2 ? atoi(argv[2]) : 1;
  working = WORKERS;
  fm_sem_init(&ready, 0);
  try {
    scope (all) {
      (void)all;
      spawn on(fm_pool_domain(p, 0)) own(seed);
      fm_sem_wait(&ready);
      for (int i = 0; i < WORKERS; i++) {
        if (i % 2) spawn work(i, seed);
        else spawn on(fm_pool_domain(p, 1)) work(i, seed);
      }
    }
  } catch (fm_error *e) {
    fm_error_print(e, stdout);
  }
  compare("messages", posted, received);
  compare("tokens", given, waited);
  compare("values", sent, got);
  compare("events", emitted, heard);
  printf("mutex %s\n", locked > 0 || turns < 100 ? "ok" : "never locked");
  fm_pool_free(p);
  return 0;
}
