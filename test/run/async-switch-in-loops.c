// Cases inside loops (Duff's device), switches inside loops inside switches, break and continue go where C says.
// flags: -Wno-implicit-fallthrough
#include "parts/async.h"
#include <string.h>

static async int duff(char *to, const char *from, int count) {
  int n = (count + 3) / 4;
  switch (count % 4) {
  case 0:
    do {
      *to++ = *from++;
      yield;
  case 3:
      *to++ = *from++;
  case 2:
      *to++ = (char)later(*from++);
  case 1:
      *to++ = *from++;
      yield;
    } while (--n > later(0));
  }
  return count;
}

static async int nested(void) {
  int sum = 0;
  for (int i = 0; later(i) < 5; i++) {
    switch (i) {
    case 0: continue;
    case 3: break;
    default:
      for (int j = 0;; j++) {
        yield;
        switch (later(j)) {
        case 0: continue;
        case 1: sum += 1; break;
        case 3: sum += 10; goto next;
        }
        sum += 100;
      }
    next:
      sum += 1000;
    }
    yield;
    sum += 10000;
  }
  return sum;
}

static async int test(int first) {
  if (first) yield;
  char to[12] = "";
  duff(to, "fermatatata", 11);
  return strcmp(to, "fermatatata") ? -1 : nested();
}

async int main(void) {
  THREE(test);                    // expect: 43633 43633 43633
}
