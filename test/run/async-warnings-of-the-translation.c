// The C compiler has nothing to say about the translation of correct code: no unused labels, values or variables.
#include "parts/async.h"

static int now(int v) { return v; }
static async int slow(int v) { return later(v); }

static async int test(int first) {
  if (first) yield;
  int n = 0;
  do n++; while (later(0));                 // nobody continues
  for (int i = 0; i < 3; i += later(1)) n++;
  (void)(slow(0) || now(1));                // gcc warns of its value otherwise, as in plain C
  (void)(slow(1) && now(1));
  now(1) ? slow(1) : slow(2);
  slow(1) ? (void)0 : (void)now(1);
  n += (slow(1) == first + 5) ? now(1) : slow(0);
  n += (n == 100) ? slow(1) : 0;
  (void)slow(1), n++;
  n += (slow(1), now(2));
  while (1) {
    if (slow(1)) break;
  }
  return n;
}

async int main(void) {
  THREE(test);                    // expect: 7 7 7
}
