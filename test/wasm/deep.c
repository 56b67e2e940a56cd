// deep.c: recursions that the engine's stack could not hold: with 64 live variables, through `spawn
// now`, and of two functions. Prints 999355 100000 1000000.
#include <fermata.h>

#include <stdio.h>

static volatile int one = 1;
#define EIGHT(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7)
#define DECLARE(i)            \
  long a##i = n * one + i;    \
  long b##i = n - i * one;    \
  long c##i = n ^ (i * one);  \
  long d##i = n + 2 * i * one; \
  long e##i = n - 3 * i * one; \
  long f##i = n + 4 * i * one; \
  long g##i = n ^ (5 * i * one); \
  long h##i = n + 7 * i * one;
#define ADD(i) +a##i + b##i + c##i + d##i + e##i + f##i + g##i + h##i

static async long deep(long n) {
  if (n == 0)
    return 0;
  EIGHT(DECLARE)
  long below = deep(n - 1);
  return (below EIGHT(ADD)) % 1000003;
}

static async long nest(long n) {
  if (n == 0)
    return 0;
  auto t = spawn now nest(n - 1);
  return 1 + await t;
}

static async long odd(long n);
static async long even(long n) {
  return n <= 0 ? 0 : odd(n - 1) + 1;
}
static async long odd(long n) {
  return even(n - 1) + 1;
}

async int main(void) {
  printf("%ld ", deep(1000000));
  printf("%ld ", nest(100000));
  printf("%ld\n", even(1000000));
  return 0;
}
