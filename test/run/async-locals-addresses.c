// The address of a local, a member, a parameter or an array element stays valid across pauses, and is the same.
#include "parts/async.h"

struct pair { int a, b; };

static async void add(int *p, int n) {
  int *const mine = p;
  yield;
  *mine += n;
}

static async int test(int first) {
  int *pfirst = &first;
  if (first) yield;
  int n = 1;
  struct pair s = { 2, 3 };
  int *pn = &n, *pb = &s.b, **ppn = &pn;
  add(&n, 10);
  add(pb, 20);
  add(&s.a, 30);
  add(pfirst, 5 - *pfirst);
  if (pn != &n || *ppn != pn || pfirst != &first) return -1;
  (**ppn)++;
  for (int i = 0; i < 3; i++) {
    int *pi = &i;
    add(pi, 1);
    n += i * 100;                           // i is 1, 3
  }
  return n + s.a * 1000 + s.b * 100000 + first * 10000000;
}

async int main(void) {
  THREE(test);                    // expect: 52332412 52332412 52332412
}
