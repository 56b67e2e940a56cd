// Pauses in subscripts, members, increments, casts, sizeof and assignments of every kind.
#include "parts/async.h"

struct s { int n, a[3]; struct s *next; };

static async int test(int first) {
  if (first) yield;
  struct s s[2] = { { 1, { 2, 3, 4 }, 0 }, { 5, { 6, 7, 8 }, s } };
  int i = 0, n = 0, m[2][2] = { { 1, 2 }, { 3, 4 } };
  s[later(1)].next->a[later(2)] = later(40);         // s[0].a[2] = 40
  s[later(0)].n++;                                   // 2
  n += s[later(0)].a[2] + ++s[later(1)].n;           // 40 + 6
  n += (s + later(1))->a[0] * 100;                   // + 600
  n += *(&s[0].a[0] + later(1)) * 1000;              // + 3000
  n += (char)later(256 + 1) * 10000;                 // + 10000
  n += sizeof(later(5)) == sizeof(int) ? 100000 : 0; // not evaluated
  i = n = later(n);
  m[later(1)][later(0)] *= later(2);                 // 6
  m[0][1] <<= later(1);                              // 4
  i -= s[0].a[later(0)] ? later(6) : 0;
  int *p = m[later(1)];
  *p++ += later(1);                                  // m[1][0] = 7
  return i + (p - m[1]) * 1000000 + m[1][0] * 10000000 + m[0][1] * 100000000 - (2 * ~later(0) + 2) + -later(0) + !later(7);
}

async int main(void) {
  THREE(test);                    // expect: 471113640 471113640 471113640
}
