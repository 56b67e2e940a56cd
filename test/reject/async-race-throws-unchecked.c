// What an arm throws counts where the race stands.
#include <fermata.h>

struct bad { int n; };
async int fails(void) throws(struct bad);

async static void f(void) {
  int v;
  race {
    case v = fails(): (void)v;
    case fm_checkpoint(): break;
  }
}
// error: 10:14: `struct bad` may be thrown here and is neither caught nor declared: catch it, or add `throws(struct bad)` to the function
