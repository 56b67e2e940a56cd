// The atomic version is ordinary C with ordinary calls: recursion, structs, pointers and tables reach it, too.
#include "parts/async.h"

struct node { int value; struct node *left, *right; };
static async int leaf(const struct node *n) {
  yield;
  return n->value;
}
static async int sum(const struct node *n) {
  async int (*const by[2])(const struct node *) = { leaf, sum };
  if (!n) return 0;
  int here = by[0](n);
  return here + by[1](n->left) + by[1](n->right);
}

async int main(void) {
  struct node a = { 1, 0, 0 }, b = { 2, 0, 0 }, c = { 3, &a, &b }, d = { 4, &c, 0 };
  int x = sum(&d), y = atomic sum(&d);
  printf("%d %d\n", x, y);        // expect: 10 10
}
