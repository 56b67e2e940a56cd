// An error that no one catches: async main ends with status 1, after everything has been cleaned up.
// status: 1
#include "parts/async.h"

struct bad { int v; };
static async void fail(void) throws(struct bad) { defer puts("cleaned"); yield; throw (struct bad){1}; }
async int main(void) throws(struct bad) {
  defer puts("main left");
  fail();
  // expect: cleaned
  // expect: main left
}
