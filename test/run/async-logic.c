// `&&`, `||`, `?:` and `,` with pauses inside evaluate in C's order, and no more than C does.
#include "parts/async.h"

static char trail[100];
static int at;

static int now(int c, int v) {
  trail[at++] = (char)c;
  return v;
}
static async int slow(int c, int v) {
  yield;
  return now(c, v);
}

static async int test(int first) {
  at = 0;
  if (first) yield;
  int n = 0;
  n += now('a', 1) && slow('b', 0) && now('c', 1);           // ab
  n += slow('d', 0) || now('e', 0) || slow('f', 5);          // def
  n += now('g', 1) || slow('h', 1);                          // g
  n += slow('i', 1) ? slow('j', 10) : slow('k', 20);         // ij
  n += now('l', 0) ? slow('m', 100) : now('n', 200);         // ln
  n += (now('o', 0), slow('p', 0), now('q', 1000));          // opq
  if (!(slow('r', 1) && (now('s', 0) || slow('t', 1)))) n = -1; // rst
  n += (slow('u', 0) ?: slow('v', 10000));                   // uv
  n += (slow('w', 20000) ?: slow('x', 1));                   // w
  n += slow('y', 0) ? 1 : now('z', 0) ? 2 : slow('A', 1) ? (slow('B', 1), 100000) : 4; // yzAB
  slow('C', 0) && (n = -2);
  if (slow('D', 0) || now('E', 1)) n += 0;
  trail[at] = 0;
  return n;
}

async int main(void) {
  printf("%d %s\n", test(0), trail);        // expect: 131212 abdefgijlnopqrstuvwyzABCDE
  printf("%d %s\n", test(1), trail);        // expect: 131212 abdefgijlnopqrstuvwyzABCDE
  printf("%d ", atomic test(0));
  printf("%s\n", trail);                    // expect: 131212 abdefgijlnopqrstuvwyzABCDE
}
