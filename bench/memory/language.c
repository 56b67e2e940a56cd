// 10^6 activities that wait for the end of one: bytes for each, its frame included. Then that one
// ends, and all run on.
#include <fermata.h>

#include "resident.h"

enum { N = 1000000 };
static bool open;
static long waiting, passed;

async static void gate(void) {
  while (!open)
    yield;
}

async static void idle(fm_activity a) {
  waiting++;
  fm_join(a);
  passed++;
}

async static void crowd(void) {
  auto g = spawn gate();
  fm_activity a = fm_id(g);
  double before = resident();
  for (int i = 0; i < N; i++)
    spawn idle(a);
  while (waiting < N)
    yield;
  printf("idle %.1f\n", (resident() - before) / N);
  open = true;
  await g;
}

int main(void) {
  run crowd();
  if (passed != N)
    abort();
  return 0;
}
