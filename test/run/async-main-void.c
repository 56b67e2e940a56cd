// async main may take nothing and need not return: as in C, reaching its end is status 0.
#include "parts/async.h"

async int main() {
  printf("%d\n", later(3));       // expect: 3
  yield;
}
