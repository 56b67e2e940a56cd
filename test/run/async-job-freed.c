// A job can be freed while what runs from it goes on, and in plain code.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int slow(int v) {
  fm_sleep(10);
  return v;
}

int main(void) {
  job(int) j = job slow(5);
  printf("%d\n", run j);          // expect: 5
  printf("%d\n", run j);          // expect: 5
  task(int) t = spawn detached j;
  fm_job_free(j);
  printf("%d\n", run t);          // expect: 5
  int n = 3;
  job(int) k = job (n) { fm_sleep((uint64_t)n); return n * n; };
  n = 100;
  printf("%d\n", run k);          // expect: 9
  fm_job_free(k);
}
