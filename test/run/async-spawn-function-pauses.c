// What tells the function of a spawn or a job may pause.
#include <fermata.h>

typedef async int (*fn)(int);
static async int twice(int x) { yield; return 2 * x; }
static async fn choose(fn f) { yield; return f; }
static int never(void) { return 0; }

static async int by_call(int x) {
  printf("by_call\n");
  auto t = spawn (choose(twice))(x);
  return await t;
}

static async int by_statement(int x) {
  printf("by_statement\n");
  auto t = spawn ({ fn f = twice; if (never()) yield; f; })(x);
  return await t;
}

static async int of_a_job(int x) {
  printf("of_a_job\n");
  auto j = job ({ fn f = twice; yield; f; })(x);
  int v = await j + await j;
  fm_job_free(j);
  return v;
}

async int main(void) {
  printf("%d\n", by_call(1));
  // expect: by_call
  // expect: 2
  printf("%d\n", by_statement(2));
  // expect: by_statement
  // expect: 4
  printf("%d\n", atomic by_statement(3));
  // expect: by_statement
  // expect: 6
  printf("%d\n", of_a_job(4));
  // expect: of_a_job
  // expect: 16
}
