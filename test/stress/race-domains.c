// Races, time limits, cancels and pauses of operations on objects of several domains: each value that was reported as sent is received
// exactly once, each other one never; a semaphore keeps its count; a task's result is taken once. Both sides of an operation may be
// arms of races in different domains. Takes TURNS SEED.
// args: 300 1
// expect: values ok
// expect: tokens ok
// expect: tasks ok
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/sync.h>
#include <fermata/time.h>

#include <stdlib.h>

typedef fm_chan(int) chan;
typedef fm_mvar(int) mvar;
enum { DOMAINS = 3, CHANNELS = 6, MVARS = 2, WORKERS = 8, MOST = 60000 };

static chan c[CHANNELS];
static mvar m[MVARS];
static fm_sem tokens, ready;
static int turns;
static unsigned char told[WORKERS * MOST], seen[WORKERS * MOST]; // atomics
static int waited, posted, results, made, working;

static int add(int *n, int by) { return __atomic_add_fetch(n, by, __ATOMIC_SEQ_CST); }
static void tell(int v) { __atomic_add_fetch(&told[v], 1, __ATOMIC_SEQ_CST); }
static void see(int v) { __atomic_add_fetch(&seen[v], 1, __ATOMIC_SEQ_CST); }

typedef struct Worker { int id, next; unsigned random; } Worker;

static int draw(Worker *w, int n) {
  w->random = w->random * 1103515245u + 12345u;
  return (int)(w->random >> 16) % n;
}
static chan *any(Worker *w) { return &c[draw(w, CHANNELS)]; }
static async int get(chan *from) throws(struct fm_closed) { int v = fm_recv(from); return v; }
static async void put(chan *to, int v) throws(struct fm_closed) { fm_send(to, v); }

static async void sends(Worker *w, int v) throws(struct fm_closed) {
  race {
  case fm_send(any(w), v): tell(v);
  case put(any(w), v): tell(v);
  case fm_send(any(w), v): tell(v);
  case fm_put(&m[draw(w, MVARS)], v): tell(v);
  case fm_sleep((uint64_t)draw(w, 3)): ;
  }
}

static async void receives(Worker *w) throws(struct fm_closed) {
  int got = -1;
  race {
  case got = fm_recv(any(w)): ;
  case got = fm_recv(any(w)): ;
  case got = get(any(w)): ;
  case got = fm_take(&m[draw(w, MVARS)]): ;
  case fm_sleep((uint64_t)draw(w, 3)): ;
  }
  if (got >= 0) see(got);
}

static async void mixes(Worker *w, int v) throws(struct fm_closed) {
  int got = -1;
  race {
  case fm_send(any(w), v): tell(v);
  case got = fm_recv(any(w)): see(got);
  case fm_send(any(w), v): tell(v);
  case got = get(any(w)): see(got);
  case fm_sem_wait(&tokens): add(&waited, 1);
  case fm_sleep((uint64_t)draw(w, 4)): ;
  }
}

static async void limited(Worker *w, int v) throws(struct fm_closed) {
  int got = -1;
  scope (s) {
    fm_cancel_after(s, (uint64_t)draw(w, 3));
    if (draw(w, 2)) {
      fm_send(any(w), v);
      tell(v);
    } else {
      got = fm_recv(any(w));
      see(got);
    }
  }
}

static async int result(int v, int ms) { fm_sleep((uint64_t)ms); return v; }

static async void awaits(Worker *w, fm_pool *p) {
  auto t = spawn on(p) result(1, draw(w, 3));
  int got = 0;
  add(&made, 1);
  race {
  case got = await t: ;
  case fm_sleep((uint64_t)draw(w, 3)): ;
  }
  if (!got) got = await t;
  add(&results, got);
}

static async void work(int id, fm_pool *p, int seed) throws(struct fm_closed) {
  Worker w = { id, 0, (unsigned)(seed * 977 + id * 7919 + 1) };
  for (int i = 0; i < turns; i++) {
    int v = id * MOST + w.next++;
    switch (draw(&w, 8)) {
    case 0: case 1: sends(&w, v); break;
    case 2: case 3: receives(&w); break;
    case 4: mixes(&w, v); break;
    case 5: limited(&w, v); break;
    case 6: awaits(&w, p); break;
    default:
      add(&posted, 1);
      fm_sem_post(&tokens);
    }
  }
  add(&working, -1);
}

static async void own(int first) {
  static const size_t room[] = { 0, 1, 3 };
  for (int i = first; i < CHANNELS; i += DOMAINS) fm_chan_init(&c[i], room[i % 3]);
  if (first < MVARS) fm_mvar_init(&m[first]);
  fm_sem_post(&ready);
  while (__atomic_load_n(&working, __ATOMIC_SEQ_CST)) fm_sleep(1);
  int v;
  for (int i = first; i < CHANNELS; i += DOMAINS)
    while (fm_try_recv(&c[i], &v)) see(v);
  if (first < MVARS && fm_try_take(&m[first], &v)) see(v);
}

static async void hold_up(fm_activity *whom, int seed) {
  Worker w = { 0, 0, (unsigned)seed };
  while (__atomic_load_n(&working, __ATOMIC_SEQ_CST) > 0) {
    fm_activity a = whom[draw(&w, WORKERS)];
    fm_pause(a);
    fm_sleep(1);
    fm_resume(a);
    fm_sleep(1);
  }
}

async int main(int argc, char **argv) {
  fm_pool *p = fm_pool_new(DOMAINS - 1);
  fm_activity who[WORKERS];
  turns = argc > 1 ? atoi(argv[1]) : 100;
  if (turns > MOST) turns = MOST;
  int seed = argc > 2 ? atoi(argv[2]) : 1, wrong = 0;
  working = WORKERS;
  fm_sem_init(&tokens, 0);
  fm_sem_init(&ready, 0);
  try {
    scope (all) {
      for (int i = 0; i < DOMAINS - 1; i++) spawn on(fm_pool_domain(p, i)) own(i);
      spawn own(DOMAINS - 1);
      for (int i = 0; i < DOMAINS; i++) fm_sem_wait(&ready);
      for (int i = 0; i < WORKERS; i++) {
        if (i % DOMAINS == DOMAINS - 1) who[i] = fm_id(spawn work(i, p, seed));
        else who[i] = fm_id(spawn on(fm_pool_domain(p, i % DOMAINS)) work(i, p, seed));
      }
      spawn hold_up(who, seed);
    }
  } catch (fm_error *e) {
    fm_error_print(e, stdout);
  }
  for (int v = 0; v < WORKERS * MOST; v++)
    if (told[v] != seen[v] || told[v] > 1) {
      if (wrong++ < 10) printf("%d: told %d, seen %d\n", v, told[v], seen[v]);
    }
  printf("values %s\n", wrong ? "wrong" : "ok");
  if ((int)fm_sem_value(&tokens) + waited == posted) printf("tokens ok\n");
  else printf("tokens: %zu left, %d waited, %d posted\n", fm_sem_value(&tokens), waited, posted);
  if (results == made) printf("tasks ok\n");
  else printf("tasks: %d of %d\n", results, made);
  fm_pool_free(p);
  return 0;
}
