// `atomic` before an expression in which something throws or waits: all of it happens inside the atomic, and an error leaves it.
// env: FERMATA_TICK=off
#include "parts/async.h"

struct bad { int n; };
static int others;

async static void other(void) { for (;;) { others++; yield; } }

async static int half(int v) throws(struct bad) {
  yield;
  yield;
  if (v % 2) throw (struct bad){v};
  return v / 2;
}

async static void nothing(int v) throws(struct bad) { half(v); }

async static int waits(void) {
  auto t = spawn later(7);
  return atomic (await spawn later(1) + await spawn later(2)) + await t;
}

static int plain(int v) throws(struct bad) { return 100 + atomic half(v); }

async int main(void) {
  spawn detached other();
  auto t = spawn later(1);
  await t;                        // the other one has begun
  int before = others;
  for (int i = 4; i < 8; i++)
    try {
      int v = 1 + atomic half(i);
      printf("%d\n", v);
      printf("%d\n", plain(i));
    } catch (struct bad b) {
      printf("bad %d\n", b.n);
    }
  // expect: 3
  // expect: 102
  // expect: bad 5
  // expect: 4
  // expect: 103
  // expect: bad 7
  try {
    printf("first\n"), atomic nothing(2), printf("then\n"), atomic nothing(3);
  } catch (struct bad b) {
    printf("bad %d\n", b.n);
  }
  // expect: first
  // expect: then
  // expect: bad 3
  job(int) j = job later(5);
  printf("%d\n", atomic await j); // expect: 5
  fm_job_free(j);
  printf("others: %d\n", others - before); // expect: others: 0
  printf("%d\n", waits());        // expect: 10
  yield;
  printf("others: %d\n", others > before); // expect: others: 1
}
