// stream-support.h: functions of the runtime for streams. See stream-support.c.
#ifndef STREAM_SUPPORT_H
#define STREAM_SUPPORT_H

#include <fermata/stream.h>

// Zeroed, never NULL. The domain frees it at its end, if the stream does not.
void *fm__stream_memory(size_t size);
void *fm__stream_grown(void *old, size_t size); // realloc
void fm__stream_free(void *p);                  // NULL is allowed
// A place for a pointer into such memory; NULL at first.
struct fm__streams **fm__streams_here(void);
// The innermost scope or shield of the current activity, or the activity itself.
fm_activity fm__region_here(void);
bool fm__has_lost_race(void); // the current activity is an arm that has
_Noreturn void fm__stream_fatal(const char *what);
// WAITING, RUNNING or PAUSED.
enum fm_stream_state fm__activity_state(fm_activity a);
fm_error *fm__error_share(fm_error *e); // one more reference
// Gives it up: the stream is closed before the error was thrown anywhere. NULL is allowed.
void fm__error_unheard(fm_error *e);

// chan.c: a value that is there, as fm__chan_try_recv.
bool fm__chan_take(fm__chan *c, void *v);

// Hears each value that is emitted. It must not pause, nor wake an activity that waits for the same
// event.
typedef struct fm__listener {
  _Alignas(16) fm_node node; // in the event's queue
  fm__waiter waiter;
  void (*hear)(struct fm__listener *l, const void *v);
} fm__listener;
void fm__event_listen(fm__event *e, fm__listener *l);
void fm__listen_no_more(fm__listener *l);

#endif
