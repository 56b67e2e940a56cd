// A function is named as a value in bodies that stand in it: its descriptor is declared before.
#include <fermata.h>

static async int by_job(int n) {
  auto j = job (n) {
    async int (*p)(int) = by_job;
    return n ? p(n - 1) : 7;
  };
  yield;
  int r = await j;
  fm_job_free(j);
  return r;
}

async int by_table(int n) {
  auto j = job (n) {
    yield;
    return n ? ((async int (*[2])(int)){ by_table, by_table }[n & 1])(n - 1) : 8;
  };
  int r = await j;
  fm_job_free(j);
  return r;
}

static inline async int by_activate(int n) {
  int r = 9;
  if (n)
    activate {
      async int (*p)(int) = &by_activate;
      r = p(n - 1) + 1;
    }
  yield;
  return r;
}

static async int by_arm(int n) {
  int r = 0;
  race {
  case if (n) r = (n & 1 ? by_arm : *by_arm)(n - 1): break;
  case if (!n) r = by_job(0): break;
  }
  return r;
}

async int main(void) {
  printf("%d %d\n", by_job(3), by_table(3)); // expect: 7 8
  scope {
    int r = by_activate(3);
    printf("%d\n", r > 0);                   // expect: 1
  }
  printf("%d\n", by_arm(3));                 // expect: 7
  return 0;
}
