// drivers.h: what the drivers use of the library: the public interface that they fill in, and
// memory. Of activities and frames they know nothing.
#ifndef DRIVERS_H
#define DRIVERS_H

#ifndef FERMATA_NO_KEYWORDS
#  define FERMATA_NO_KEYWORDS
#endif
#include <fermata/pool.h>

void *fm__alloc(size_t n);
void *fm__realloc(void *p, size_t n);
void fm__free(void *p);
// one that needs no descriptor, and watches none. NULL: out of memory
fm_driver *fm__driver_bare(void);
bool fm__is_bare(const fm_driver *driver);
// of this thread's domain, which will look at it now and then
fm_driver *fm__driver_here(void);

#endif
