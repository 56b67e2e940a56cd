// Async functions return structs, take structs and arrays; unions and large ones too.
#include "parts/async.h"
#include <string.h>

struct point { int x, y; };
struct large { char text[300]; struct point at[5]; };
union word { int i; unsigned char byte[8]; };

static async struct point move(struct point p, int by) {
  yield;
  return (struct point){ p.x + by, later(p.y) + by };
}

static async struct large label(struct large l, const char *s) {
  strcpy(l.text, s);
  for (int i = 0; i < 5; i++) l.at[i] = move(l.at[i], i);
  return l;
}

static async union word make(int i) {
  union word w = { .i = i };
  yield;
  w.byte[4] = 9;
  return w;
}

static async int sum(int a[], int n, int m[2][3]) {
  int s = 0;
  for (int i = 0; i < n; i++) s += later(a[i]);
  return s + m[1][2];
}

static async void all(void) {
  struct point p = move((struct point){ 1, 2 }, 10);
  printf("%d %d %d\n", p.x, p.y, move(p, 1).y);
  struct large l = { .at = { { 1, 1 }, { 2, 2 }, { 3, 3 } } };
  struct large k = label(label(l, "one"), "two");
  printf("%s %d %d %d\n", k.text, k.at[2].x, k.at[4].y, l.at[4].y);
  printf("%d %d\n", make(77).i, make(1).byte[4]);
  int a[3] = { 1, 2, 3 }, m[2][3] = { { 0 }, { 0, 0, 100 } };
  printf("%d\n", sum(a, 3, m));
}

async int main(void) {
  all();
  // expect: 11 12 13
  // expect: two 7 8 0
  // expect: 77 9
  // expect: 106
  atomic all();
  // expect: 11 12 13
  // expect: two 7 8 0
  // expect: 77 9
  // expect: 106
}
