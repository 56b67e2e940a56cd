// fm.h: what the files of the runtime share. Public names (fm_) are in <fermata.h>; names that start with fm__ are
// known to the runtime alone.
#ifndef FM_H
#define FM_H

#include <fermata.h>

// ---- alloc.c: every byte of the library comes from here ----
void *fm__alloc(size_t n);                        // NULL: out of memory; not zeroed; n > 0
void *fm__realloc(void *p, size_t n);             // NULL: out of memory, p is as it was; n > 0
void fm__free(void *p);                           // NULL is allowed

#endif
