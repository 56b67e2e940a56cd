// The address of a local may be handed to other activities, which write through it while its owner waits.
#include "parts/async.h"

struct box { int n; char text[20]; };

static async void fill(struct box *b, int *count) {
  yield;
  b->n += 5;
  snprintf(b->text, sizeof b->text, "box %d", b->n);
  ++*count;
}

static async int test(int first) {
  struct box boxes[3] = { { .n = 1 }, { .n = 2 }, { .n = 3 } };
  int count = 0;
  if (first) yield;
  auto a = spawn fill(&boxes[0], &count);
  auto b = spawn fill(boxes + 2, &count);
  await a;
  await b;
  return boxes[0].n + boxes[1].n * 10 + boxes[2].n * 100 + count * 1000 + (boxes[2].text[4] == '8') * 10000;
}

async int main(void) {
  THREE(test);                    // expect: 12826 12826 12826
}
