// `return;` ends the body of activate; it has no value to return.
#include <fermata.h>

async int d(void) {
  activate { return 3; }
  return 4;
}
// error: 5:14: activate
