// In an atomic, the result of an await is a large structure, twice into the same variable. clang 14
// at -O2 dropped the copy when it stood in the generated text.
#include <fermata.h>
#include <stdio.h>
struct big { int v[16]; };
static async struct big make(int n) {
  yield;
  return (struct big){ { [4] = n } };
}
__attribute__((noinline)) static int mix(struct big b) { return b.v[4]; }
struct bad { int v; };
static async struct big fails(int n) throws(struct bad) {
  yield;
  if (n > 2)
    throw (struct bad){ n };
  return (struct big){ { [4] = n } };
}
static async int twice(void) {
  int sum = 1;
  {
    task(struct big) t = spawn make(5);
    task(struct big) u = spawn make(6);
    struct big a = await u;
    sum = sum * 10 + mix(a);
    struct big b = await t;
    sum = sum * 10 + mix(b);
  }
  return sum;
}
static async int of_jobs(void) {
  auto j = job make(3), k = job () { return (struct big){ { [4] = 4 } }; };
  struct big a = await j;
  int sum = mix(a);
  struct big b = await k;
  sum = sum * 10 + mix(b);
  fm_job_free(j);
  fm_job_free(k);
  return sum;
}
static async int of_errors(int n) {
  auto t = spawn fails(n), u = spawn fails(2);
  int sum = 0;
  try {
    struct big a = await u;
    sum = mix(a);
    struct big b = await t;
    sum = sum * 10 + mix(b);
  } catch (struct bad e) {
    sum = sum * 1000 + e.v;
  }
  return sum;
}
static async void nothing(int *n) { yield; ++*n; }
static async int of_void(void) {
  int n = 0;
  auto t = spawn nothing(&n), u = spawn nothing(&n);
  await u;
  await t;
  return n;
}
static async int once(void) { // inlined
  int sum = 1;
  {
    task(struct big) t = spawn make(5);
    task(struct big) u = spawn make(6);
    struct big a = await u;
    sum = sum * 10 + mix(a);
    struct big b = await t;
    sum = sum * 10 + mix(b);
  }
  return sum;
}
static int plain(void) { return atomic once(); }
async int main(void) {
  printf("%d\n", plain());                                     // expect: 165
  printf("%d %d\n", atomic twice(), twice());                  // expect: 165 165
  printf("%d %d\n", atomic of_jobs(), of_jobs());              // expect: 34 34
  printf("%d %d\n", atomic of_errors(1), of_errors(1));        // expect: 21 21
  printf("%d %d\n", atomic of_errors(7), of_errors(7));        // expect: 2007 2007
  printf("%d %d\n", atomic of_void(), of_void());              // expect: 2 2
  return 0;
}
