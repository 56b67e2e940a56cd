// watch.h: what the waits for a descriptor (watch.c, read.c) share. A file that includes it has
// defined FM_LIBRARY: code of the program uses the frames that are made.
#ifndef WATCH_H
#define WATCH_H

#include "fm.h"
#include "wait/kind.h"

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

// Something was received: after a wait, or at the first try. Where one read is enough for each
// wait, the next wait needs no try before it. Now and then it is tried nevertheless: perhaps there
// is more.
static inline void
fm__note_received(fm__runtime *d, uint8_t *hints, bool waited) {
  enum { SOME = 128 };
  if (!waited) {
    if (fm__unlikely(*hints & FM_FIRST))
      *hints = (uint8_t)((*hints & ~FM_FIRST) | FM_BURST);
    return;
  }
  unsigned was = *hints;
  bool sure = (was & (FM_LEVEL | FM_BURST)) == FM_LEVEL;
  if (fm__likely(sure && ++d->received % SOME))
    *hints = (uint8_t)(was | FM_DRAINED);
  else
    *hints = (uint8_t)(was | FM_FIRST);
}

// A try had nothing. Returns FM_STAYS if the wait that follows should need none the next time.
static inline unsigned fm__note_none(uint8_t *hints) {
  unsigned was = *hints;
  if (was & FM_FIRST)
    *hints &= (uint8_t) ~(FM_FIRST | FM_BURST);
  return was & (FM_FIRST | FM_LEVEL) ? FM_STAYS : 0;
}

// Once for each descriptor, when it waits: whether it is a stream.
void fm__ask_stream(uint8_t *hints, int fd);

static inline void fm__learn_stream(fm__runtime *d, int fd) {
  uint8_t *hints = fm__hints_of(d, fd);
  if (hints && fm__unlikely(!(*hints & (FM_STREAM | FM_ASKED))))
    fm__ask_stream(hints, fd);
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
  fm_driver *driver = d->driver;
  // the rest of fm__watch is for the first watch of a domain, and after none for a while
  bool usual = driver && driver->hinted && driver->watch && fm__is_looking(d);
  int err = fm__likely(usual) ? driver->watch(driver->ctx, &f->watch)
                              : fm__watch(d, &f->watch);
  if (fm__likely(!err))
    fm__wait_begin(d, &f->wait);
  return err;
}

#endif
