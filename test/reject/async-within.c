// fm_within belongs into async functions, and its error is checked.
#include <fermata.h>
#include <fermata/time.h>

async int slow(void);

static void plain(void) {
  fm_within(5, 1);        // error: 8:3: `fm_within` can be used only in an async function
}
static async int unchecked(void) {
  return fm_within(5, slow());  // error: 11:10: `struct fm_timeout` may be thrown here
}
