// watch.h: what the waits for a descriptor (watch.c, read.c) share. A file that includes it has
// defined FM_LIBRARY: code of the program uses the frames that are made.
#ifndef WATCH_H
#define WATCH_H

#include "fm.h"

typedef struct WatchFrame {
  fm_frame h;
  fm_node *node; // the activity that waits
  // aligned as nodes and frames are, for the low bits of fm_node.waits
  _Alignas(16) fm__wait wait;
  fm_watch watch;
} WatchFrame;

// ---- hints ----
// NULL: there are none.
static inline uint8_t *fm__hints_of(fm__runtime *d, int fd) {
  fm_driver *driver = d->driver;
  return driver && (size_t)fd < driver->hinted ? &driver->hints[fd] : NULL;
}

static inline bool fm__is_drained(fm__runtime *d, int fd) {
  uint8_t *hints = fm__hints_of(d, fd);
  return hints && *hints & FM_DRAINED;
}

static inline void fm__note_short_read(fm__runtime *d, int fd) {
  uint8_t *hints = fm__hints_of(d, fd);
  if (hints && (*hints & (FM_TOLD | FM_STREAM)) == (FM_TOLD | FM_STREAM))
    *hints |= FM_DRAINED;
}

// ---- waits ----
static inline WatchFrame *fm__watch_frame_of(fm_node *a) {
  return (WatchFrame *)(void *)((char *)fm__waited_for(a) -
                                offsetof(WatchFrame, wait));
}

// The current activity waits, by f. Returns 0, or an errno.
static inline int fm__wait_by(fm__runtime *d,
                              WatchFrame *f,
                              int fd,
                              unsigned events,
                              void (*ready)(fm_watch *, unsigned),
                              const fm__wait_kind *kind) {
  f->node = d->current;
  f->wait.kind = kind;
  f->watch.fd = fd;
  f->watch.events = events;
  f->watch.ready = ready;
  f->watch.arg = f;
  int err = fm__watch(d, &f->watch);
  if (fm__likely(!err))
    fm__wait_begin(d, &f->wait);
  return err;
}

#endif
