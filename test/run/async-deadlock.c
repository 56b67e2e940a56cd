// Two activities that wait for each other: the report, and status 1, not a hang. (sample/deadlock.sh reads the report)
// status: 1
#include "parts/async.h"

static task(int) a, b;
static async int first(void) { return await b; }
static async int second(void) { return await a; }

async int main(void) {
  a = spawn first();
  b = spawn second();
  printf("waiting\n");            // expect: waiting
  yield;
  yield;
  printf("still here\n");         // expect: still here
}
