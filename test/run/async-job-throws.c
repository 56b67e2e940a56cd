// A job of a function that throws: each run throws on its own; a body that throws likewise.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

struct bad { int n; };

async static int half(int v) throws(struct bad) {
  yield;
  if (v % 2) throw (struct bad){v};
  return v / 2;
}

async int main(void) {
  job(int) odd = job half(3), even = job half(4);
  for (int i = 0; i < 2; i++)
    try {
      printf("%d\n", await even);
      printf("%d\n", await odd);
    } catch (struct bad b) {
      printf("bad %d\n", b.n);
    }
  // expect: 2
  // expect: bad 3
  // expect: 2
  // expect: bad 3
  try {
    auto t = spawn odd;
    printf("%d\n", await t);
  } catch (struct bad b) {
    printf("task bad %d\n", b.n); // expect: task bad 3
  }
  int n = 7;
  auto body = job (n) { yield; if (n == 7) throw (struct bad){n}; return n; };
  try {
    printf("%d\n", await body);
  } catch (struct bad b) {
    printf("body %d\n", b.n);     // expect: body 7
  }
  fm_job_free(odd), fm_job_free(even), fm_job_free(body);
}
