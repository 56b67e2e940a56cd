// stress: calls in other threads, of two domains, while some are cancelled and the number of
// threads changes. Each call that nobody cancels is made once and gives its own value; one that was
// cancelled is made once or never; no thread is lost (else this hangs).
//     offload CALLS SEED
// flags: -pthread
// expect: ok
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/time.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CALLERS = 24 };

typedef struct Call {
  int number;
  int microseconds;
  atomic_int made;
} Call;

static uint64_t seed = 1;

static unsigned draw(unsigned n) {
  static _Atomic uint64_t turn;
  uint64_t x = (seed << 32 | turn++) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
  return (unsigned)(x >> 33) % n;
}

static void check(bool right, const char *what) {
  if (right)
    return;
  printf("%s\n", what);
  exit(1);
}

static intptr_t make(void *arg) {
  Call *c = arg;
  atomic_fetch_add(&c->made, 1);
  if (c->microseconds)
    usleep((useconds_t)c->microseconds);
  return c->number * 3;
}

static Call new_call(int number) {
  return (Call){ .number = number,
                 .microseconds = draw(4) ? 0 : (int)draw(200) };
}

static async void calls_on(int n) {
  for (int i = 0; i < n; i++) {
    Call c = new_call(i);
    check(fm_offload(make, &c) == i * 3 && c.made == 1, "a wrong value");
    if (draw(40) == 0)
      fm_offload_threads(1 + draw(6));
  }
}

static async void given_up(int n) {
  for (int i = 0; i < n; i++) {
    Call c = new_call(i);
    bool whole = false;
    scope(limit) {
      fm_cancel_after(limit, draw(2));
      fm_offload(make, &c);
      whole = true;
    }
    check(whole ? c.made == 1 : c.made <= 1, "made twice");
  }
}

static async void callers(int n) {
  scope for (int i = 0; i < CALLERS; i++) if (i % 3)
      spawn calls_on(n / CALLERS);
  else spawn given_up(n / CALLERS / 4);
}

async int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2000;
  seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  fm_pool *pool = fm_pool_new(1);
  check(pool, "no domain");
  auto there = spawn on(pool) callers(n);
  callers(n);
  await there;
  fm_pool_free(pool);
  printf("ok\n");
  return 0;
}
