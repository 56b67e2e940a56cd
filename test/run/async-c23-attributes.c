// The attributes of C23 in every place that its grammar has for them, in copied text and in async functions.
// flags: -std=c2x
#include <fermata.h>

#define A [[gnu::unused]]

[[]] [[]];
[[]] int global [[]] = 1, second [[]] [2] [[]] [3] [[]];
struct [[]] s2 { [[]] long *a [[]] [3] [[]] [4], b [[]]; [[]] int bits [[]] : 3, more : 2; int [[]] *[[]] const p [[]]; } [[]];
union [[]] u2 { int a [[]]; [[]] float f; };
enum [[]] e2 { ZERO [[]], ONE [[]] = 1, TWO };
typedef int number [[]], (*pointer [[]])([[]] int x [[]], int [[]] [[]], int *[[]]) [[]];
[[]] static int plain [[]] ([[]] int x [[]], int y [[]] [3] [[]]) [[]];
static int plain(int x, int y[3]) { return x + y[0]; }
int (* [[]] (* [[]] table [[]])[2] [[]])(int [[]]) [[]];

[[]] async int echo [[]] ([[]] int x [[]]) [[]];
[[]] async int echo [[]] ([[]] int x [[]]) [[]] { yield; return x; }
static async int body [[]] (A int n, int *[[]] array [[]]);

static async int body(A int n, int *array) {
  [[]] int a [[]] = echo(1), b [[]] [2] [[]] [3] [[]] = {{2}}, *[[]] const c [[]] = array;
  A static int calls [[]] [2] [[]];
  int [[]] many [[]];
  struct [[]] local { [[]] int m [[]] [2] [[]]; int w [[]] : 3; } s [[]] = {{3, 4}, 1};
  enum [[]] { LOCAL [[]] = 5 } e [[]] = LOCAL;
  typedef int word [[]] [2] [[]];
  word w [[]] = {6, 7};
  int prototype [[]] (int x [[]], [[]] int y) [[]];
  int (*f [[]])(int [[]], int *[[]]) [[]] = plain;
  yield;
  [[]];
  [[]] many = 0;
  [[]] for ([[]] int i [[]] = 0; i < 2; i++) [[]] {
    [[]] switch (i) {
    [[]] case 0: [[]] many += echo(1);
      [[fallthrough]];
    [[]] default: [[]];
      [[]] many += ++calls[i];
      [[]] break;
    }
    [[]] if (many > 100) [[]] return 0; else [[]] continue;
  }
  [[]] while (many < 3) [[]] { many++; }
  [[]] do [[]] many++; while (many < 4);
  goto end;
  [[]] end: [[]] many += (int)sizeof(int [[]] *[[]]) + (int)sizeof(int [[]] [2] [[]]);
  scope {
    [[]] activate {
      [[]] int inner [[]] = echo(2);
      [[]] yield;
      many += inner;
    }
  }
  [[]] return a + b[0][0] + c[0] + s.m[1] + s.w + e + w[1] + many + f(1, array) + n;
}

async int main(void) {
  int array [[]] [3] [[]] = {8};
  struct s2 x = {.b = 1, .bits = 2};
  yield;
  printf("%d %ld\n", body(1, array), x.b + x.bits + global + second[1][2] + ZERO + TWO + (table != 0)); // expect: 60 6
  return 0;
}
