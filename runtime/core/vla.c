// vla.c: arrays of variable length that live across pauses. Their elements stand outside the frame.
#include "fm.h"

#include <stdlib.h>

// The declaration is executed, perhaps again: frees the old elements.
void *fm__vla(void *old, size_t n) {
  fm__free(old);
  void *p = fm__alloc(n ? n : 1);
  if (p)
    return p;
  fprintf(stderr, "fermata: out of memory (an array of %zu bytes)\n", n);
  exit(1);
}

void fm__vla_free(void *p) {
  fm__free(p);
}
