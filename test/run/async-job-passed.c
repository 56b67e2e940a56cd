// Jobs as parameters, members, results, array elements; a function that retries one.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

struct bad { int n; };
static int tries;

async static int flaky(int needed) throws(struct bad) {
  yield;
  if (++tries < needed) throw (struct bad){tries};
  return tries;
}

async static int retry(job(int) throws(struct bad) j, int n) throws(struct bad) {
  for (;;)
    try {
      return await j;
    } catch (struct bad b) {
      printf("again after %d\n", b.n);
      if (--n == 0) throw;
    }
}

struct work { job(int) j; int weight; };

async static int square(int v) { yield; return v * v; }

async int main(void) {
  auto j = job flaky(3);
  try {
    printf("%d\n", retry(j, 5));
    tries = -10;
    printf("%d\n", retry(j, 2));
  } catch (struct bad b) {
    printf("bad %d\n", b.n);
  }
  // expect: again after 1
  // expect: again after 2
  // expect: 3
  // expect: again after -9
  // expect: again after -8
  // expect: bad -8
  fm_job_free(j);
  struct work w[3];
  int sum = 0;
  for (int i = 0; i < 3; i++) w[i] = (struct work){job square(i + 1), i};
  for (int i = 0; i < 3; i++) sum += await w[i].j * w[i].weight;
  for (int i = 0; i < 3; i++) fm_job_free(w[i].j);
  printf("%d\n", sum);            // expect: 22
}
