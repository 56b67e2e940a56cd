// defer in a case with braces; break, fall-through and return leave it; a labelled defer is a defer.
#include "parts/async.h"

static async int test(int first) {
  if (first) yield;
  long long t = 0;
  for (int i = 0; i < 5; i++) {
    switch (i) {
    case 0: { defer t = t * 10 + later(1); t = t * 10 + 2; break; }
    case 1: { defer t = t * 10 + 3; yield; t = t * 10 + 4; } // fall through
    case 2: { defer { yield; t = t * 10 + 5; } continue; }
    case 3: defer t = t * 10 + 6; t = t * 10 + 7; break;
    }
    t = t * 10 + 8;
  }
  {
  here: defer t = t + 1;
    if (t < 0) goto here;
    t = t * 2;
  }
  return (int)(t % 100000000);
}
async int main(void) {
  THREE(test);                    // expect: 87115377 87115377 87115377
}
