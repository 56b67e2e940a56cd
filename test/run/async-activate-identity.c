// [&id] stores the identity of the activity; `return;` ends the body.
// env: FERMATA_TICK=off
#include "parts/async.h"

async int main(void) {
  fm_activity id, many[3], self = { 0 };
  int n = 0, go = 0;
  activate [&id] {
    self = fm_self();
    n++;
    while (!go) yield;
    if (n) return;
    n = 100;
  }
  printf("%d\n", fm_alive(id));   // expect: 1
  yield;
  printf("%d %d\n", n, self.node == id.node && self.generation == id.generation); // expect: 1 1
  go = 1;
  yield;
  yield;
  printf("%d %d\n", n, fm_alive(id)); // expect: 1 0
  for (int i = 0; i < 3; i++)
    activate [&many[i]] (i) {
      while (go <= i) yield;
      n += 10;
    }
  while (n < 11) yield;
  yield;
  printf("%d%d%d\n", fm_alive(many[0]), fm_alive(many[1]), fm_alive(many[2])); // expect: 011
  go = 3;
  while (n < 31) yield;
  printf("%d\n", n);              // expect: 31
}
