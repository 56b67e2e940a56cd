// Pauses in conditions of if, while, for, do, switch and ?: nested into each other, with break, continue and return inside.
#include "parts/async.h"

static async int collatz(int n) {
  int steps = 0;
  while (later(n) != 1 && steps < later(1000))
    switch (later(n) % 2) {
    case 0:
      n /= later(2);
      steps++;
      continue;
    default:
      n = later(n) & 1 ? 3 * n + later(1) : -1;
      if (steps++ > 500) return -1;
    }
  return steps;
}

static async int search(int want) {
  for (int i = 0; later(i) < 5; i++)
    for (int j = i; ({ yield; j < 5; }); j = later(j) + 1) {
      if ((later(i) && later(j)) || (i == 0 && later(j) > 3)) {
        if (i * j == want) return later(i) * 10 + j;
      } else if (j == later(2)) {
        break;
      }
      do if (later(0)) return -1; while (later(0) || (later(1) && 0));
    }
  return 0;
}

static async int test(int first) {
  if (first) yield;
  return collatz(27) + search(12) * 1000 + search(7) + search(0) * 100000;
}

async int main(void) {
  THREE(test);                    // expect: 34111 34111 34111
}
