// A function in a header is printed under the header's name, and the file after it under its own.
#include "parts/inline.h"
int f(int x) { return twice(x); }
// emits: parts/inline.h" 1
// emits: return x * 2;
// emits: # 3 "header-body.c"
// emits: return twice(x);
