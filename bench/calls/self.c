// self.c: Figure 10 as printed.
#include "figures.h"

async int NAME(self)(int d, int x) {
  if (d > 0)
    return NAME(self)(d - 1, NAME(self)(d - 1, x));
  else
    return NAME(leaf)(x);
}
