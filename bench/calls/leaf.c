// leaf.c: what the calls of Figure 10 end in.
#include "figures.h"

async int NAME(leaf)(int x) {
  return x + 1;
}
