// Arrays, arrays of structs and arrays of arrays keep their contents and their addresses across pauses.
#include "parts/async.h"
#include <string.h>

struct item { char name[8]; int n[2]; };

static async int test(int first) {
  if (first) yield;
  int a[5] = { 1, 2, [4] = 5 }, m[2][3] = { { 1 }, { 0, 2 } };
  struct item items[3] = { { "one", { 1, 10 } }, [2] = { "three", { 3 } } };
  char text[] = "fermata", *p = text + 3;
  int *middle = &a[2], (*row)[3] = m + 1;
  struct item *last = items + 2;
  yield;
  *middle = a[0] + later(2);
  (*row)[2] = 7;
  last->n[1] = 30;
  *p = 'M';
  strcpy(items[1].name, "two");
  yield;
  if (strcmp(text, "ferMata") || strcmp(items[1].name, "two") || items[1].n[0] || p != text + 3 || last != &items[2]) return -1;
  return a[2] + a[3] + a[4] + m[0][0] + m[1][1] + m[1][2] + items[2].n[1] + items[0].n[later(1)] + (int)sizeof a;
}

async int main(void) {
  THREE(test);                    // expect: 78 78 78
}
