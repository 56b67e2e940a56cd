// A loop over calls that cannot pause lets others run, though the callees themselves are not interrupted.
// env: FERMATA_TICK=1
#include "parts/async.h"
#include <string.h>

static long ticks;
static int stop;
static async void count(void) {
  while (!stop) {
    ticks++;
    yield;
  }
}
static char from[4096], to[4096];
// quiet, with a loop in it
static async int busy(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += i ^ n;
  return sum;
}
// of the C library
static async long copies(long limit) {
  long n = 0;
  for (; n < 100000000 && ticks < limit; n++) memcpy(to, from, sizeof to);
  return n;
}
static async long lengths(long limit) {
  long n = 0;
  memset(from, 'x', sizeof from - 1);
  while (n < 100000000 && ticks < limit) n += (long)(strlen(from) > 0);
  return n;
}

async int main(void) {
  spawn count();
  long n = 0;
  for (; n < 100000000 && ticks < 3; n++) busy(1000);
  printf("%d\n", n < 100000000);             // expect: 1
  ticks = 0;
  printf("%d\n", copies(3) < 100000000);     // expect: 1
  ticks = 0;
  printf("%d\n", lengths(3) < 100000000);    // expect: 1
  stop = 1;
}
