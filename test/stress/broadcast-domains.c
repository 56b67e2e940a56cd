// Broadcasts, latest values, one-shots, permits and limiters between domains, at random, with
// cancels from anywhere: a subscriber gets the values of each publisher in order, without a gap
// unless it is told; permits are neither lost nor made; a one-shot is given once.
//     broadcast-domains OPERATIONS SEED
// flags: -pthread
// expect: nothing is lost
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/sync.h>
#include <fermata/time.h>

#include <stdatomic.h>
#include <stdlib.h>

enum { WORKERS = 18, IN_A_ROUND = 500, PERMITS = 7 };
typedef fm_broadcast(uint64_t) cast;
typedef fm_subscriber(uint64_t) sub;
typedef fm_latest(uint64_t) latest;
typedef fm_oneshot(int) oneshot;
static cast holding, losing;
static latest newest;
static oneshot shot;
static fm_sem permits;
static fm_limiter limiter;
static _Atomic int given, inside, wrong;
static _Atomic uint64_t sources; // who publishes: a number in the upper half of the value

static uint32_t mix(uint32_t x) {
  x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu;
  return x ^ x >> 16;
}

static void fault(const char *what) {
  printf("%s\n", what);
  wrong = 1;
}

// Each source counts from 1. A publish that is cancelled may leave a gap of nothing: it stops.
static async void publish(cast *b) throws(struct fm_closed) {
  uint64_t me = ++sources << 32;
  for (uint64_t i = 1; i <= 30; i++)
    fm_publish(b, me | i);
}

static async void hear(cast *b, bool may_lose) throws(struct fm_closed) {
  uint64_t last[64][2] = { { 0 } };
  sub s;
  fm_subscriber_init(&s, b, 0);
  defer fm_subscriber_free(&s);
  for (int i = 0; i < 60; i++) {
    uint64_t v = fm_hear(&s), source = v >> 32, n = v & 0xffffffff;
    uint64_t *l = last[source % 64];
    if (fm_missed(&s) && !may_lose)
      fault("a value was missed");
    if (l[0] == source && (n <= l[1] || (n != l[1] + 1 && !may_lose)))
      fault("out of order");
    l[0] = source;
    l[1] = n;
  }
}

static async void follow(void) {
  uint64_t seen = 0, was = 0;
  for (int i = 0; i < 20; i++) {
    uint64_t v = fm_latest_next(&newest, &seen);
    if (v < was)
      fault("an older value");
    was = v;
  }
}

static async void use_permits(uint32_t seed) {
  for (int i = 0; i < 10; i++) {
    size_t n = 1 + (seed = mix(seed)) % PERMITS;
    fm_sem_wait_n(&permits, n);
    if ((inside += (int)n) > PERMITS)
      fault("too many permits");
    defer {
      inside -= (int)n;
      fm_sem_post_n(&permits, n);
    }
    yield;
  }
}

static async void work(uint32_t seed) {
  try {
    switch (seed % 8) {
    case 0: publish(&holding); break;
    case 1: publish(&losing); break;
    case 2: hear(&holding, false); break;
    case 3: hear(&losing, true); break;
    case 4: follow(); break;
    case 5: use_permits(seed); break;
    case 6:
      given += fm_oneshot_set(&shot, (int)seed);
      fm_oneshot_wait(&shot);
      fm_limiter_wait_n(&limiter, 1 + seed % 3);
      break;
    default:
      for (uint64_t i = 0; i < 20; i++)
        fm_sem_wait(&permits), fm_sem_post(&permits);
    }
  } catch (struct fm_closed e) {
    (void)e;
  }
}

static async void round_of(fm_pool *p, uint32_t seed) {
  task(void) t[WORKERS];
  fm_activity who[WORKERS];
  for (int i = 0; i < WORKERS; i++) {
    uint32_t s = mix(seed * 977 + (uint32_t)i);
    s = s - s % 8 + (uint32_t)i % 8;
    if (i % 3)
      t[i] = spawn on(p) work(s);
    else
      t[i] = spawn work(s);
    who[i] = fm_id(t[i]);
  }
  for (int i = 0; i < WORKERS; i++) {
    seed = mix(seed + 3);
    fm_latest_set(&newest, seed >> 16 & 1 ? ++sources : sources);
    if (seed & 0x1000)
      fm_sleep(seed & 1);
    if (seed & 0x2000)
      fm_cancel(who[seed % WORKERS]);
  }
  fm_sleep(5);
  for (int i = 0; i < WORKERS; i++)
    fm_cancel(who[i]);
  for (int i = 0; i < WORKERS; i++)
    try {
      await t[i];
    } catch (struct fm_cancelled e) {
      (void)e;
    }
}

static async void make(void) {
  fm_broadcast_init(&holding, 3, FM_HOLD);
  fm_sem_init(&permits, PERMITS);
  fm_limiter_init(&limiter, 3, 1, 5);
}

static async void look(void) {
  for (int i = 0; i < 1000 && fm_sem_value(&permits) != PERMITS; i++)
    fm_sleep(1);
  if (fm_sem_value(&permits) != PERMITS)
    fault("permits are lost");
  if (fm_broadcast_subscribers(&holding))
    fault("subscribers are left");
  fm_broadcast_free(&holding);
}

async int main(int argc, char **argv) {
  uint32_t rounds = argc > 1 ? (uint32_t)(1 + atol(argv[1]) / IN_A_ROUND) : 10;
  uint32_t first = argc > 2 ? (uint32_t)atol(argv[2]) * 100000 : 1;
  fm_domain *other = fm_domain_new(NULL);
  fm_pool *p = fm_pool_new(2);
  fm_broadcast_init(&losing, 4, FM_LOSE);
  fm_latest_init(&newest, 0);
  fm_oneshot_init(&shot);
  auto made = spawn on(other) make();
  await made;
  for (uint32_t i = 0; i < rounds; i++)
    round_of(p, first + i);
  auto looked = spawn on(other) look();
  await looked;
  if (given != 1)
    fault("the one-shot was given more than once");
  fm_broadcast_free(&losing);
  fm_pool_free(p);
  fm_domain_free(other);
  if (!wrong)
    printf("nothing is lost\n");
  return wrong;
}
