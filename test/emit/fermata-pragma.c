// `#pragma fermata` is for us: the C compiler never sees it. Other pragmas of that beginning stay.
int before;
#pragma fermata
int after;
  #  pragma   fermata
#pragma fermatas
int f(void) { return 1; }
// emits-not: #pragma fermata 
// emits-not: pragma   fermata
// emits: #pragma fermatas
// emits: int before;
// emits: int after;
