// Awaiting a job throws what its function throws; a job that throws more than its declaration says is refused.
#include <fermata.h>

struct bad { int n; };
async int fails(void) throws(struct bad);

async static int uses(void) {
  auto j = job fails();
  return await j;
}

async static int takes(job(int) j) { return await j; }

async static int gives(void) {
  return takes(job fails());
}
// error: 9:10: `struct bad` may be thrown here and is neither caught nor declared: catch it, or add `throws(struct bad)` to the function
// error: 15:16: this may throw `struct bad`, and the type that it is stored in or passed as does not declare it: add `throws(struct bad)` to that type
