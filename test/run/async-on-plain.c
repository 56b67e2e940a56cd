// Domains in plain code: spawn detached on(d), whose errors go to the handler of d, and which one can run to its end; two
// domains that spawn on each other; a domain that is called from another one, in an atomic too.
#include "parts/async.h"
#include <fermata/pool.h>
#include <fermata/time.h>
#include <semaphore.h>
#include <stdlib.h>

struct bad { int n; };
static sem_t sem;

static void on_error(const fm_error *e, fm_activity a, void *arg) {
  (void)a;
  printf("%s %s\n", (const char *)arg, fm_error_name(e));
  sem_post(&sem);
}

static async void prepare(void) {
  fm_on_error(on_error, "here:");
  sem_post(&sem);
}
static async void fails(int n) throws(struct bad) { yield; throw (struct bad){ n }; }
static async int half(int n) { fm_sleep(1); return n / 2; }

static async int ping(fm_domain *me, fm_domain *you, int n) {
  if (n == 0) return 0;
  auto t = spawn on(you) ping(you, me, n - 1);
  return await t + 1;
}

static int counter;
static async void bump(fm_domain *home) { (void)home; counter++; }
static async void bump_at(fm_domain *home, int n) { // all in one domain: no data race
  for (int i = 0; i < n; i++) {
    auto t = spawn on(home) bump(home);
    await t;
  }
}

static async void bump_all(fm_pool *p) {
  fm_domain *home = fm_domain_here();
  for (int i = 0; i < 8; i++) spawn on(p) bump_at(home, 50);
}

static async int atomically(fm_domain *d) {
  int sum = 0;
  spawn on(d) half(2);
  atomic {
    auto t = spawn on(d) half(20), s = spawn on(d) half(4);
    sum = await s + await t;
  }
  return sum;
}

int main(void) {
  sem_init(&sem, 0, 0);
  fm_domain *a = fm_domain_new(NULL), *b = fm_domain_new(NULL);
  spawn detached on(a) prepare();
  sem_wait(&sem);
  spawn detached on(a) fails(1);
  sem_wait(&sem);                                 // expect: here: bad
  auto t = spawn detached on(a) half(8);
  printf("%d\n", run t);                          // expect: 4
  auto u = spawn detached on(a) ping(a, b, 500);
  printf("%d\n", run u);                          // expect: 500
  fm_pool *p = fm_pool_new(0);
  run bump_all(p);
  printf("%d\n", counter);                        // expect: 400
  printf("%d\n", run atomically(b));              // expect: 12
  printf("%d\n", atomic atomically(b));           // expect: 12
  fm_pool_free(p);
  fm_domain_free(a);
  fm_domain_free(b);
  sem_destroy(&sem);
}
