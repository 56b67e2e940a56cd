// Plain functions that return pointers to async functions, spelled out in the declarator.
#include <fermata.h>

static async int one(int x) { yield; return x + 1; }
static async int two(int x) { yield; return x + 2; }

async int (*pick(int n, const char *why))(int);
async int (*pick(int n, const char *why))(int) { return n == 1 && why ? one : two; }
static async int (*last(void))(int) { return two; }
async int (**from(int n))(int) {
  static async int (*all[])(int) = { one, two };
  return all + n;
}
async int (*old(a, b))(int) int a; char b; { return a == b ? one : two; }
async int (*(*picker)(int, const char *))(int) = pick;

async int main(void) {
  printf("%d %d %d\n", pick(1, "")(10), pick(2, "")(10), last()(20)); // expect: 11 12 22
  printf("%d %d\n", (*from(1))(30), from(1)[-1](30)); // expect: 32 31
  printf("%d %d\n", old(1, 1)(40), old(1, 2)(40)); // expect: 41 42
  printf("%d\n", picker(one(0), "")(50));         // expect: 51
  return 0;
}
