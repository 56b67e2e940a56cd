#include <fermata.h>
int f(int __fm_yield) {        // error: 2:11: `__fm_yield` is a keyword: it cannot be declared
  return 0;
}
// `__fm_yield` is a keyword in every place.
