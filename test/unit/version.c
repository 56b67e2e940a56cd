// The library tells its version, and it is the compiler's.
#include "base/base.h"

#include <assert.h>
#define FERMATA_NO_KEYWORDS
#include <fermata.h>
#include <string.h>

int main(void) {
  assert(strcmp(fm_version(), FM_VERSION) == 0);
  return 0;
}
