// Scopes in loops and in recursion, with many children; nothing is left of them.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

static int ended;

async static void child(int i) {
  defer ended++;
  if (i % 3 == 0) yield;
  if (i % 3 == 1) fm_sleep(i % 7);
}

async static int tree(int depth) {
  int n = 1;
  scope (s) {
    for (int i = 0; i < 5; i++) spawn child(i);
    if (depth) n += tree(depth - 1) + tree(depth - 1);
    if (depth == 2) fm_cancel(s);
  }
  else n += 1000;                 // nothing is left that could be cut short
  return n;
}

async int main(void) {
  printf("%d\n", tree(6));        // expect: 127
  printf("%d\n", ended);          // expect: 635
  ended = 0;
  for (int i = 0; i < 1000; i++)
    scope (s) {
      spawn child(i);
      if (i % 5 == 0) fm_cancel(s);
    }
  printf("%d\n", ended);          // expect: 1000
}
