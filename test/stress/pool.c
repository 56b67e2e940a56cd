// Pools: activities that spawn on their own pool and on another, await, drop, cancel, pause and resume what they have spawned, at once or
// after it has begun, and throw; threads that do the same from outside; and pools that end in the middle of it. Each task
// gives its value, its error, or is cancelled; what has begun has ended; and no start is lost.
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <pthread.h>
#include <stdatomic.h>

enum { DEPTH = 5, ROUNDS = 60, THREADS = 2 };
struct odd { uint32_t x; };

static fm_pool *pools[2];
static _Atomic int begun, ended, made, given, failed, cancelled, wrong;

static uint32_t draw(uint32_t *x) {
  *x ^= *x << 13; *x ^= *x >> 17; *x ^= *x << 5;
  return *x >> 3;
}

static async uint32_t node(uint32_t seed, int depth) throws(struct odd);

static async void meddle(uint32_t x, fm_activity a) {
  if (x % 11 == 0) fm_cancel(a);
  if (x % 7 == 0) {
    fm_pause(a);
    if (x & 64) yield;
    fm_resume(a);
  }
  if (x % 13 == 0) fm_join(a);
}

static async void gather(task(uint32_t) throws(struct odd) t, uint32_t seed) {
  try {
    if (await t != seed) wrong++;
    given++;
  } catch (struct odd e) {
    if (e.x != seed) wrong++;
    failed++;
  } catch (struct fm_cancelled e) {
    cancelled++;
  }
}

static async void below(uint32_t *x, int depth) {
  enum { MOST = 4 };
  task(uint32_t) throws(struct odd) t[MOST];
  uint32_t seeds[MOST];
  int n = draw(x) % MOST + 1;
  shield {
    for (int i = 0; i < n; i++) {
      seeds[i] = draw(x) | 1;
      made++;
      t[i] = spawn on(pools[draw(x) % 8 == 0]) node(seeds[i], depth - 1);
      meddle(draw(x), fm_id(t[i]));
    }
    if (draw(x) & 1) yield;
    for (int i = 0; i < n; i++) {
      meddle(draw(x), fm_id(t[i]));
      gather(t[i], seeds[i]);
    }
  }
}

static async uint32_t node(uint32_t seed, int depth) throws(struct odd) {
  uint32_t x = seed;
  begun++;
  defer ended++;
  switch (draw(&x) % 6) {
  case 0: yield; break;
  case 1: fm_sleep(draw(&x) % 2); break;
  case 2: for (volatile int i = 0; i < (int)(draw(&x) % 20000); i++); break;
  }
  if (depth > 0) below(&x, depth);
  if (draw(&x) % 10 == 0) throw (struct odd){ seed };
  return seed;
}

static void *outside(void *arg) {
  uint32_t x = (uint32_t)(uintptr_t)arg;
  run below(&x, DEPTH);
  return NULL;
}

static async void tree(uint32_t x) { below(&x, DEPTH); }
static async uint32_t lone(uint32_t seed) {
  begun++;
  defer ended++;
  yield;
  return seed;
}

// Nobody awaits them, and the pool may end before they begin.
static async void ends_early(uint32_t x) {
  enum { MANY = 50 };
  fm_pool *p = fm_pool_new(2);
  task(uint32_t) t[MANY];
  for (uint32_t i = 0; i < MANY; i++) {
    t[i] = spawn on(p) lone(i);
    spawn detached on(p) lone(i);
  }
  if (x & 1) yield;
  fm_pool_free(p);
  for (uint32_t i = 0; i < MANY; i++)
    try {
      if (await t[i] != i) wrong++;
    } catch (struct fm_cancelled e) {
    }
}

async int main(void) {
  for (uint32_t r = 0; r < ROUNDS; r++) {
    pthread_t threads[THREADS];
    pools[0] = fm_pool_new((int)(r % 3) + 1);
    pools[1] = fm_pool_new(2);
    for (uintptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, outside, (void *)(r * 77 + i * 5 + 3));
    tree(r * 1001 + 7);
    ends_early(r);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    fm_pool_free(pools[0]);
    fm_pool_free(pools[1]);
  }
  if (begun != ended || made != given + failed + cancelled || wrong || !given || !failed || !cancelled) {
    printf("begun %d ended %d made %d given %d failed %d cancelled %d wrong %d\n", begun, ended, made, given, failed, cancelled, wrong);
    return 1;
  }
}
