// twin.c: Figures 10 and 11, one half of each pair: -DME=a -DTWIN=b, and the other way round.
#include "figures.h"

#define OWN(f) PASTE(NAME(f), ME)
#define OTHER(f) PASTE(NAME(f), TWIN)

async int OWN(f10)(int d, int x) {
  if (d > 0)
    return OTHER(f10)(d - 1, OTHER(f10)(d - 1, x));
  else
    return NAME(leaf)(x);
}

#define FIGURE11(f, N)                                                                                                 \
  async int OWN(f)(int d, int x) {                                                                                     \
    if (d > N)                                                                                                         \
      return OTHER(f)(d - 1, OTHER(f)(d - 1, x));                                                                      \
    else if (d > 0)                                                                                                    \
      atomic {                                                                                                         \
        return OTHER(f)(d - 1, OTHER(f)(d - 1, x));                                                                    \
      }                                                                                                                \
    else                                                                                                               \
      return NAME(leaf)(x);                                                                                            \
  }

FIGURE11(n4, 4)
FIGURE11(n8, 8)
