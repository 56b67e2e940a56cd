// async main takes argc and argv, and its value is the exit status.
// args: one "two words"
// status: 7
#include "parts/async.h"

async int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    yield;
    printf("%d %s\n", i, argv[i]);
  }
  return later(argc) + 4;
}
// expect: 1 one
// expect: 2 two words
