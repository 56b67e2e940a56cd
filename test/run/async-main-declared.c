// async main can have a prototype, be called, and be pointed to.
// status: 5
#include "parts/async.h"

async int main(int argc, char **argv);
async int (*first)(int, char **) = main;

async int main(int argc, char **argv) {
  async int (*again)(int, char **) = argc == 1 ? main : &main;
  printf("%d\n", later(argc));
  if (argc == 1) return main(argc + 1, argv);
  if (argc == 2) return first(argc + 1, argv);
  if (argc == 3) return await spawn main(argc + 1, argv);
  return argc == 4 ? again(argc + 1, argv) : argc;
}
// expect: 1
// expect: 2
// expect: 3
// expect: 4
// expect: 5
