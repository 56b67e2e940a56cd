// `typeof` of a local variable, where the variable it declares is kept across pauses.
#include "parts/async.h"

struct pair { int a, b; };
typedef union { int q; struct pair *t; } holder;
static async void pass(void *p) { (void)p; yield; }

async int main(void) {
  holder u = { 0 };
  int grid[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
  int k = ({ __auto_type o = &u; __typeof__(*o->t) v = { 3, 4 }; pass(&v); (void)o; v.a * v.b; });
  __typeof__(grid[1]) row = { 7, 8, 9 };
  const __typeof__(k) c = 5;
  __typeof__(&grid[0]) at = &grid[1];
  pass(row);
  printf("%d %d %d %d\n", k, row[2], c, (*at)[1]); // expect: 12 9 5 5
  return 0;
}
