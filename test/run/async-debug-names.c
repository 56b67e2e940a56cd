// With -g variables keep their names, and more of them are kept across pauses: nothing else changes. Names that are used again
// (in other blocks, of other types, of things outside) still mean what they mean.
// flags: -g
#include "parts/async.h"

static int count = 100, other = 7;
static int index_of(int n) { return n; }

static async int again(int first) {               // one variable in the resumed function, and two of other types
  int sum = 0;
  for (int i = 0; i < 3; i++) { later(1); sum += i; }
  for (int i = 5; i < 7; i++) { if (first) yield; sum += i; }
  for (long i = 10; i < 12; i++) { later(1); sum += (int)i; }
  { int i[2] = { 1, 2 }; yield; sum += i[0] + i[1]; }
  { const int i = 50; later(1); sum += i; }
  { int i = 1; sum += i; } { int i = 2; sum += i; } { int i = 3; later(1); sum += i; } { int i = 4; later(1); sum += i; }
  return sum;
}

static async int outside(int first) {             // count and index_of mean two things, other means one
  int sum = count + index_of(1);
  { int count = 3, other = 4; later(1); sum += count + other; }
  sum += count;
  { int index_of = 9; if (first) yield; sum += index_of; }
  count += 0;
  return sum + index_of(2);
}

static async int nested(int n) {
  int x = 1, y = n;
  {
    int x = 2, *px = &x;
    later(1);
    { long x = 3; later(1); y += (int)x; }
    { int x[2] = { 4, 5 }; yield; y += x[1]; }
    { int x = 6; yield; y += x; }
    y += *px;
  }
  { int x = 7; later(1); y += x; }
  return x + y;
}

static async int in_loops(int first) {            // declared after a pause, in a loop: not there yet in the next turn's pause
  int sum = 0;
  do {
    int a = later(1);
    int b = later(a), c = later(b);
    sum += a + b + c;
    if (first && sum < 10) continue;
    int d = sum;
    yield;
    sum += d;
  } while (sum < 40);
  switch (sum & 1) {
    int z;
  case 0: z = 5; later(1); sum += z; break;
  case 1: z = 6; later(1); sum += z; break;
  }
again:;
  int w = later(2);
  if (first) { int q = w; yield; sum += q; }
  if (sum < 100) { sum += 50; goto again; }
  return sum;
}

static async int large(int first) {               // one body for calls and resumes
  struct { long a[4]; } s = { { 1 } };
  int sum = 0;
  for (int i = 0; i < 2; i++) { yield; sum += i; later(1); sum += i; later(2); }
  for (int i = 3; i < 5; i++) { yield; sum += i; later(1); sum += i; later(2); }
  for (int i = 6; i < 8; i++) { yield; sum += i; later(1); sum += i; later(2); }
  { struct { long a[4]; } s = { { 20 } }; yield; sum += (int)s.a[0]; }
  { struct { long a[4]; } s = { { 30 } }; yield; sum += (int)s.a[0]; }
  { unsigned i = first ? 100 : 100; yield; sum += (int)i; }
  return sum + (int)s.a[0];
}

static async int arrays(int n) {                  // of variable length, shared with an activity
  int vla[n + 2][2], sum = 0;
  for (int i = 0; i < n + 2; i++) vla[i][0] = vla[i][1] = i;
  activate { yield; vla[1][0] += 10; sum += vla[1][1]; }
  activate (n) { int sum = n; later(1); vla[0][1] += sum + 1; }
  later(1);
  yield;
  yield;
  return sum + vla[1][0] + vla[0][1] + n * 0 + (int)sizeof vla / (int)sizeof vla[0] - n;
}

async int main(void) {
  THREE(again);                                   // expect: 98 98 98
  THREE(outside);                                 // expect: 219 219 219
  printf("%d %d\n", nested(0), atomic nested(0)); // expect: 24 24
  printf("%d %d\n", in_loops(0), atomic in_loops(0)); // expect: 147 147
  printf("%d %d\n", in_loops(1), atomic in_loops(1)); // expect: 113 113
  THREE(large);                                   // expect: 193 193 193
  printf("%d %d\n", arrays(0), arrays(3));        // expect: 15 18
  return other - 7;
}
