// spawn on(d): the result comes back from another thread, whatever its type; so do errors, with what hangs on them.
#include "parts/async.h"
#include <fermata/pool.h>
#include <fermata/time.h>
#include <pthread.h>
#include <string.h>

struct big { char text[5000]; double d; };
struct bad { int code; char why[40]; };
struct worse { int code; };

static pthread_t main_thread;

static async bool elsewhere(void) {
  fm_sleep(1);
  return !pthread_equal(pthread_self(), main_thread);
}

static async struct big large(struct big b, int n) {
  yield;
  memset(b.text, 'a' + n, sizeof b.text - 1);
  b.d *= 2;
  return b;
}

static async void nothing(int *to) { *to = 5; }

static async long double wide(long double x) { return x / 4; }

static async int inner(int code) throws(struct bad) {
  yield;
  if (code) throw (struct bad){ code, "it was so" };
  return 1;
}

static async int fails(int code) throws(struct bad) { return inner(code) + 1; }

static async void two(void) throws(struct bad, struct worse) {
  scope (s) {
    activate { throw (struct bad){ 1, "" }; }
    activate { throw (struct worse){ 2 }; }
  }
}

static async void children(int *n) {              // it ends when its children have
  for (int i = 0; i < 3; i++) activate (i, n) { fm_sleep(1 + (uint64_t)i); ++*n; }
}

async int main(void) {
  main_thread = pthread_self();
  fm_domain *d = fm_domain_new(NULL);
  fm_pool *p = fm_pool_new(3);
  auto t = spawn on(d) elsewhere();
  printf("%d %d\n", await t, fm_pool_size(p));    // expect: 1 3
  auto b = spawn on(p) large((struct big){ "x", 1.5 }, 3);
  struct big r = await b;
  printf("%c %zu %g\n", r.text[4000], strlen(r.text), r.d); // expect: d 4999 3
  int five = 0, n = 0;
  auto v = spawn on(d) nothing(&five);
  await v;
  auto w = spawn on(p) wide(3);
  printf("%d %g\n", five, (double)await w);       // expect: 5 0.75
  auto c = spawn on(d) children(&n);
  await c;
  printf("%d\n", n);                              // expect: 3
  for (int code = 0; code < 2; code++)
    try {
      auto f = spawn on(p) fails(code);
      printf("%d\n", await f);                    // expect: 2
    } catch (struct bad e) {
      printf("bad %d %s\n", e.code, e.why);       // expect: bad 1 it was so
    }
  try {
    auto f = spawn on(d) two();
    await f;
  } catch (fm_error *e) {
    printf("%s", fm_error_name(e));
    if (fm_error_next(e)) printf(" and %s", fm_error_name(fm_error_next(e)));
    printf("\n");                                 // expect: bad and worse
  }
  try {
    scope (s) { spawn on(d) fails(2); spawn on(p) fails(0); }
  } catch (struct bad e) {
    printf("from the scope: %d\n", e.code);       // expect: from the scope: 2
  }
  job(int) j = job fails(0);
  auto k = spawn on(p) j;
  try {
    printf("%d\n", await k);                      // expect: 2
  } catch (struct bad e) {}
  fm_job_free(j);
  fm_pool_free(p);
  fm_domain_free(d);
}
