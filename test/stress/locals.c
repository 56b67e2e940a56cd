// Locals in a random tree of activities, against a model: each activity knows, in variables of its
// own, what its locals must be. It spawns, sets, reads, pauses, is cancelled, in several domains.
// Nothing is left when all have ended.
// args: 4000 1
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/time.h>

#include <stdlib.h>
#include <string.h>

struct pair {
  int a, b;
};
static fm_local(int) first;
static fm_local(struct pair) second = fm_local_initial(struct pair, 1, 2);
static fm_local(uint64_t) third;
static _Atomic long wrong, reads, left;
static fm_pool *pool;

typedef struct model {
  int first;
  struct pair second;
  uint64_t third;
} model;

static unsigned draw(uint64_t *seed, unsigned n) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(*seed >> 33) % n;
}

static void check(const model *m) {
  struct pair p = fm_local_get(&second);
  reads++;
  if (fm_local_get(&first) != m->first || p.a != m->second.a || p.b != m->second.b ||
      fm_local_get(&third) != m->third)
    wrong++;
}

static void set(model *m, uint64_t *seed) {
  switch (draw(seed, 3)) {
  case 0:
    m->first = (int)draw(seed, 1000);
    fm_local_set(&first, m->first);
    break;
  case 1:
    m->second = (struct pair){ (int)draw(seed, 1000), 7 };
    fm_local_set(&second, m->second);
    break;
  default:
    m->third = draw(seed, 1000);
    fm_local_set(&third, m->third);
  }
}

static async void node(model m, uint64_t seed, int depth);

static async void more(const model *m, uint64_t *seed, int depth) {
  uint64_t next = *seed ^ draw(seed, 1u << 30);
  switch (draw(seed, 6)) {
  case 0:
    spawn now node(*m, next, depth - 1);
    break;
  case 1:
    if (draw(seed, 8) == 0)
      spawn on(pool) node(*m, next, depth - 1);
    break;
  case 2:
    race {
    case node(*m, next, depth - 1):
    case fm_sleep(0):
    }
    break;
  case 3: {
    auto t = spawn node(*m, next, depth - 1);
    if (draw(seed, 2))
      fm_cancel(fm_id(t));
    fm_join(fm_id(t));
    fm_detach(t);
    break;
  }
  default:
    spawn node(*m, next, depth - 1);
  }
}

static async void node(model m, uint64_t seed, int depth) {
  check(&m);
  for (int i = 0; i < 6; i++) {
    if (draw(&seed, 3) == 0)
      set(&m, &seed);
    if (depth && draw(&seed, 2))
      more(&m, &seed, depth);
    check(&m);
    if (draw(&seed, 4) == 0)
      yield;
    check(&m);
  }
}

static void *counted(void *ctx, void *p, size_t n) {
  (void)ctx;
  left += (n && !p) - (p && !n);
  if (n)
    return realloc(p, n);
  free(p);
  return NULL;
}

static async void all(int times, uint64_t seed) {
  pool = fm_pool_new(2);
  for (int i = 0; i < times; i++) {
    auto t = spawn node((model){ .second = { 1, 2 } }, seed + (uint64_t)i, 4);
    if (i % 16 == 15)
      fm_join(fm_id(t));
    fm_detach(t);
  }
}

// Each of many activities has its own value, and memory does not grow with their number.
static async void one(int n) {
  fm_local_set(&first, n);
  yield;
  if (fm_local_get(&first) != n)
    wrong++;
}

static async void many(int n) {
  fm_local_set(&third, 1);
  for (int i = 0; i < n; i += 10) {
    scope (s)
      for (int k = 0; k < 10; k++)
        spawn one(i + k);
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4000;
  fm_set_allocator(counted, NULL);
  run all(n / 100, argc > 2 ? (uint64_t)atoi(argv[2]) : 1);
  fm_pool_free(pool);
  run many(1000);
  long before = left;
  run many(n * 10);
  printf("%ld wrong, %s\n", wrong, reads > n ? "many reads" : "few reads");
  // expect: 0 wrong, many reads
  printf("%s\n", left <= before + 2 ? "nothing left" : "memory is lost"); // expect: nothing left
  return 0;
}
