// pool.h: domains, pools of them, drivers, and work for other threads.
//
// The activities of one domain never run at the same time; several domains, each with a thread of
// its own, do. `spawn on(d) f(x)` starts an activity in the domain d, or in a domain of the pool d:
// until it begins, it moves to a domain that has nothing to do. Data that two domains use is not
// protected, except where the library says so: tasks, completions, the objects of sync.h and
// agent.h, and operations on an fm_activity.
#ifndef FERMATA_POOL_H
#define FERMATA_POOL_H

#include <fermata.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FM_FOREVER UINT64_MAX

// ---- drivers of your own ----
// A driver is where a domain's events come from: a clock, descriptors that become ready, and a way
// for other threads to wake the domain. The scheduler knows it only as this table, so a program can
// bring its own (a game's loop, a GUI's). `FERMATA_DRIVER=uv|virtual` chooses the driver unless
// fm_set_driver did. All functions but `wake` are called on the domain's thread only.

enum {
  FM_READABLE = 1,
  FM_WRITABLE = 2,
  // A system call has just given EAGAIN: only later events matter. A driver may ignore it.
  FM_TRIED = 4,
  // With FM_READABLE alone: the same caller will wait again and again, and would rather not try
  // first. A driver that can report what was there before a wait began, at no cost, does so from
  // now on, and sets the hint FM_LEVEL. A driver may ignore it.
  FM_STAYS = 8,
};
typedef struct fm_watch fm_watch;
// A descriptor that a caller watches. The memory is the caller's; it has to last until the watch
// was ready, or until unwatch.
struct fm_watch {
  int fd;
  unsigned events; // FM_READABLE | FM_WRITABLE, perhaps FM_TRIED
  // Called once, from poll; the watch is over by then. An error or a hang-up is both readable and
  // writable: the next system call reports it. No event at all: the descriptor has been closed.
  void (*ready)(fm_watch *w, unsigned events);
  void *arg; // the caller's own
  size_t at; // the driver's own, and so are these
  struct fm_watch *next, **back;
};

// What is known of a descriptor (`hints` of fm_driver), one bit each.
enum {
  // the driver's: an event will report whatever can be read from now on
  FM_TOLD = 1,
  // the library's: a connection, of which a read that gives less than it could takes all
  FM_STREAM = 2,
  // the library's: the last read took all, as far as it knows; or a wait finds out (FM_LEVEL). The
  // driver clears it with each event.
  FM_DRAINED = 4,
  // the driver's: a wait with FM_STAYS reports also what could be read before it began
  FM_LEVEL = 8,
  // the library's: it has asked whether it is a stream
  FM_ASKED = 16,
  // the library's, of messages with FM_LEVEL: several come at a time, so trying pays; and: one has
  // been received since the last wait
  FM_BURST = 32,
  FM_FIRST = 64,
};
// for fm_watch_drained
enum { FM_ASK, FM_NEW_STREAM, FM_SHORT_READ };

typedef struct fm_driver {
  void *ctx; // given to each function
  // not 0: ready activities run in a random order that depends on it
  uint64_t seed;
  // Nanoseconds, never decreasing; it need not be the time of day.
  uint64_t (*now)(void *ctx);
  // Waits until that time by `now`, until a watched descriptor is ready, or until `wake`, whichever
  // comes first; then calls `ready` for all descriptors that are ready, and returns how many. With
  // a time that has passed (0, say) it only looks. May return early for no reason.
  size_t (*poll)(void *ctx, uint64_t until);
  // From any thread, also from a signal handler: a poll that is waiting, or else the next one, does
  // not wait.
  void (*wake)(void *ctx);
  // Returns whether an event may still come without a call of `wake`: then waiting is no deadlock.
  // NULL: never.
  bool (*pending)(void *ctx);
  // Begins to watch. Returns 0 or an errno; EPERM: the descriptor is always ready, as files are.
  // Several watches may be of one descriptor. NULL: this driver watches nothing.
  int (*watch)(void *ctx, fm_watch *w);
  // Ends a watch that is not over. After the call its memory is gone.
  void (*unwatch)(void *ctx, fm_watch *w);
  // The descriptor is about to be closed, or is new: calls `ready` of its watches with no event,
  // and drops what is known of it, its hint as well. NULL: nothing to do.
  void (*forget)(void *ctx, int fd);
  // The domain ends: gives everything back. NULL: nothing to do.
  void (*free)(void *ctx);
  // Optional: a byte for each descriptor below `hinted`, in the driver's memory; it saves system
  // calls. With FM_DRAINED a read is left untried: the last one took all, and nothing has come
  // since. The driver sets FM_TOLD while an event is sure to report whatever comes, and clears
  // FM_DRAINED with each event.
  uint8_t *hints;
  size_t hinted;
} fm_driver;

// ---- drivers ----
// A domain makes its driver when it first has to wait. The functions that make a driver return NULL
// if no memory, or no descriptor, is left.

// The default: real time, descriptors in an epoll set, and libuv if the program uses it (uv.h).
fm_driver *fm_driver_uv(void);

// Real time, and poll(2), which is slow with many descriptors.
fm_driver *fm_driver_poll(void);

// Virtual time. It starts at 0 and moves only when nothing is ready: then at once to the next
// timer. So sleeping costs nothing, and the order of events in one thread is always the same. Seed
// 0: first in, first out. Time does not wait for other threads: while a timer is set, it moves on.
// Descriptors are looked at before it moves.
fm_driver *fm_driver_virtual(uint64_t seed);

// Makes this thread's domain take its events from `driver` from now on. The domain frees the
// driver. No timer and no watch may be set.
void fm_set_driver(fm_driver *driver);

// ---- hosted ----
// The domain lives in another main loop, which calls these on the domain's thread and outside of
// activities.

// Makes the driver. `tell`, if not NULL, is called from any thread: the loop should call
// fm_host_turn soon. With NULL the loop waits for fm_host_fd. Returns NULL if no memory is left.
fm_driver *fm_driver_hosted(void (*tell)(void *ctx), void *ctx);
// Runs ready activities without waiting, for some milliseconds at most. Returns false when no
// activity is left. Call it once at the start.
bool fm_host_turn(void);
// Returns how long the loop may wait before the next fm_host_turn, in milliseconds; 0: not at all;
// -1: until fm_host_fd is readable or `tell` is called. Call it before each wait: plain code that
// spawns or completes something changes it.
int fm_host_timeout(void);
// Returns a descriptor that is readable (poll, select, g_unix_fd_add …) when fm_host_turn has work.
int fm_host_fd(void);

// ---- waiting for descriptors ----
// The functions of io.h wait with these; an asyncdirect function may use them, too. They act on
// this thread's domain and its driver. The watch is the caller's memory; it has to last until it
// was ready or was stopped.

// Begins to watch: returns 0, and `w->ready` is called once; or an errno. EPERM: the descriptor is
// always ready, as files are.
int fm_watch_start(fm_watch *w);
// Ends a watch that is not over.
void fm_watch_stop(fm_watch *w);
// Reports that the descriptor is about to be closed, or is new: watches of it are ready, with no
// event.
void fm_watch_forget(int fd);
// For streams. FM_NEW_STREAM: reports a new connection. FM_SHORT_READ: reports that a read gave
// less than it could. FM_ASK: returns whether trying to read is of no use before waiting, because
// no event has come since. See `hints` of fm_driver.
bool fm_watch_drained(int fd, unsigned what);
// For a driver, in its `poll`: reports that a signal has ended the system call (EINTR). Waits in
// functions of posix.h that a signal ends then end.
void fm_watch_interrupted(void);

// ---- plain code that blocks ----

// Sets how many threads work for fm_offload at most, up to 1024. Before that, `FERMATA_OFFLOAD=N`
// sets it, or it is 16. Threads are made when they are needed, and end after five seconds without
// work. Further calls are queued, first in, first out. Files have up to 16 threads of their own,
// and names four, so that none of the three waits for another. The end of a domain, or of main,
// takes queued calls back and waits for calls that have begun.
void fm_offload_threads(unsigned n);

// ---- domains ----

// Makes a domain with a thread of its own, which sleeps in its driver when it has no work. The
// domain frees the driver; NULL: the default driver. Returns NULL if no thread can be made.
fm_domain *fm_domain_new(fm_driver *driver);

// Ends the domain; call it from another thread than the domain's. Its activities are cancelled and
// have unwound when the call returns; an activity that awaits one of them is thrown struct
// fm_cancelled. An activity that is spawned on the domain meanwhile or later counts as cancelled
// (after another domain has been made, that one may be meant). The same holds for the domain of a
// thread that has ended. The calling thread is blocked: an activity that unwinds must not wait for
// an activity of this thread's domain. The end of async main ends all remaining domains in the same
// way.
void fm_domain_free(fm_domain *d);

// Returns the domain of the calling thread, for others to spawn on.
fm_domain *fm_domain_here(void);

// ---- pools ----

// Makes a pool of domains; 0: as many as the machine has processors. Returns NULL if no thread can
// be made. `spawn on(pool) f(x)` queues the activity for the domain that has the fewest; a domain
// of the pool that spawns queues it for itself, unless it has many more than others. Until it
// begins, a domain that has nothing to do may take it; after that it stays. What is spawned on one
// domain of the pool (fm_pool_domain) stays there in any case.
fm_pool *fm_pool_new(int domains);
// Ends all domains of the pool, as fm_domain_free does. Activities that have not begun begin, and
// unwind at their first pause.
void fm_pool_free(fm_pool *p);
// Returns the number of domains.
int fm_pool_size(const fm_pool *p);
// Returns the domain with this number, from 0 on; NULL: there is none.
fm_domain *fm_pool_domain(const fm_pool *p, int i);

#ifdef __cplusplus
}
#endif

#ifndef FERMATA_NO_KEYWORDS
#  ifndef __cplusplus

// ---- plain code that blocks ----

// Calls fn(arg) in another thread and returns its result; other activities run meanwhile. A cancel
// takes the call back if it has not begun; otherwise the cancel waits for its end, because fn may
// use what arg points to. If the system gives no thread, the call is made in place, and the other
// activities of the domain wait.
async intptr_t fm_offload(intptr_t (*fn)(void *), void *arg);
#  endif
#endif
#endif
