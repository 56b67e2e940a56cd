// job (x, y) { … } captures by value: scalars, structs, arrays; each run has its own copies; it outlives the function.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

struct point { int x, y; };

static job(int) make(int base) {
  struct point p = {base, base + 1};
  int a[3] = {1, 2, 3};
  const char *name = "job";
  return job (p, a, name, base) {
    a[0] += base;
    p.x++;
    yield;
    a[1] += a[0];
    printf("%s %d %d %d\n", name, p.x, a[0], a[1]);
    return p.x + a[0] + a[1];
  };
}

async int main(void) {
  job(int) j = make(10), k = make(20);
  printf("%d\n", await j);        // expect: job 11 11 13
                                  // expect: 35
  auto t = spawn j;
  auto u = spawn k;
  printf("%d %d\n", await u, await t);
  // expect: job 11 11 13
  // expect: job 21 21 23
  // expect: 65 35
  fm_job_free(j);
  job(int) copy = k;              // the same job
  printf("%d\n", await copy);     // expect: job 21 21 23
                                  // expect: 65
  fm_job_free(k);
  auto v = job () { yield; printf("void\n"); };
  await v;                        // expect: void
  await v;                        // expect: void
  fm_job_free(v);
}
