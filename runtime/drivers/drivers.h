// drivers.h: the parts of the library that the drivers use: memory, and the public interface that
// they implement. They know nothing of activities and frames.
#ifndef DRIVERS_H
#define DRIVERS_H

#ifndef FERMATA_NO_KEYWORDS
#  define FERMATA_NO_KEYWORDS
#endif
#include <fermata/pool.h>

void *fm__alloc(size_t n);
void *fm__realloc(void *p, size_t n);
void fm__free(void *p);

uint64_t fm__clock(void);           // monotonic, in nanoseconds
uint64_t fm__driver_now(void *ctx); // the same, as fm_driver.now
// A driver whose functions have these names in its file; `clock` and `end` are its now and free.
#define FM__DRIVER(self, clock, end)                                          \
  (fm_driver) {                                                               \
    .ctx = (self), .now = (clock), .poll = wait_for, .wake = wake,            \
    .pending = pending, .watch = watch, .unwatch = unwatch, .forget = forget, \
    .free = (end)                                                             \
  }

// A driver that needs no descriptor and watches none. NULL: out of memory.
fm_driver *fm__driver_bare(void);
bool fm__is_bare(const fm_driver *driver);
// The driver of this thread's domain, which will look at it now and then.
fm_driver *fm__driver_here(void);

#endif
