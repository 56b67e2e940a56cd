// pool.h: domains, pools of them, drivers, and work for other threads.
//
// The activities of one domain never run at the same time; several domains, each with a thread of
// its own, do. `spawn on(d) f(x)` starts one in the domain d, or in the least loaded one of the
// pool d. Nothing that two domains use is protected but what the library says: tasks, completions,
// and what is done to a fm_activity.
//
// A driver is where a domain's events come from: a clock, descriptors that become ready, and a way
// to be woken by other threads. The scheduler knows it only as this table, so that a program can
// bring its own (a game's loop, a GUI's). A domain makes its driver when it first has to wait;
// FERMATA_DRIVER=uv|virtual says which, unless fm_set_driver did.
//
// All functions but `wake` are called on the domain's thread only.
#ifndef FERMATA_POOL_H
#define FERMATA_POOL_H

#include <fermata.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FM_FOREVER UINT64_MAX

// A descriptor that someone wants to become ready; the caller's memory, which has to last until it
// was, or until unwatch.
enum {
  FM_READABLE = 1,
  FM_WRITABLE = 2,
  // a system call has just said EAGAIN: only what comes from now on matters. A
  FM_TRIED = 4,
  // driver may ignore it
};
typedef struct fm_watch fm_watch;
struct fm_watch {
  int fd;
  unsigned events; // FM_READABLE | FM_WRITABLE, perhaps FM_TRIED
  // called once, from poll; the watch is over by then. An error or hang-up is
  void (*ready)(fm_watch *w, unsigned events);
  // both readable and writable: the next system
  // call will tell. No event at all: it has been
  // closed
  void *arg; // the caller's own
  size_t at; // the driver's own, and so are these
  struct fm_watch *next, **back;
};

// What is known of a descriptor, see fm_driver.hints; each is one bit.
enum {
  // the driver's: whatever can be read from now on, an event will tell
  FM_TOLD = 1,
  // the library's: it is a connection: a read that gives less than it could takes all
  FM_STREAM = 2,
  // the library's: both, and such a read was the last one. The driver takes it back when
  FM_DRAINED = 4,
  // an event comes
};
enum { FM_ASK, FM_NEW_STREAM, FM_SHORT_READ }; // see fm_watch_drained

typedef struct fm_driver {
  void *ctx; // given to each function
  // not 0: ready activities run in an order that is drawn from it
  uint64_t seed;
  // Nanoseconds, never decreasing; it need not be the time of day.
  uint64_t (*now)(void *ctx);
  // Waits until that time by `now`, until a watched descriptor is ready, or until `wake`, whichever
  // comes first; then calls `ready` for all descriptors that are, and tells how many. A time that
  // has passed (0, say): just looks. May return early for no reason.
  size_t (*poll)(void *ctx, uint64_t until);
  // From any thread, also from a signal handler: a poll that is waiting, or else the next one, does
  // not wait.
  void (*wake)(void *ctx);
  // Whether something may still come that no one has to call `wake` for: then waiting is no
  // deadlock. NULL: never.
  bool (*pending)(void *ctx);
  // 0, or an errno; EPERM: it is always ready, as files are. NULL: this driver watches nothing.
  // Several may watch one descriptor.
  int (*watch)(void *ctx, fm_watch *w);
  void (*unwatch)(void *ctx, fm_watch *w); // before it was ready
  // The descriptor is about to be closed, or is new: nothing known of it holds any more. Watches of
  // it are ready, with no event. NULL: nothing to do.
  void (*forget)(void *ctx, int fd);
  void (*free)(void *ctx); // the domain ends; NULL: nothing to do
  // Saves system calls: with FM_DRAINED in it, trying to read is of no use before waiting. Of the
  // descriptors below `hinted`, in memory of the driver's. NULL, and 0: it knows nothing of the
  // kind.
  uint8_t *hints;
  size_t hinted;
} fm_driver;

// The default: real time, descriptors in an epoll set, and libuv if the program uses it (uv.h).
// NULL: out of memory, or no descriptor is left.
fm_driver *fm_driver_uv(void);

// Real time, and poll(2), which is slow with many descriptors. NULL: out of memory, or no
// descriptor is left.
fm_driver *fm_driver_poll(void);

// Virtual time: it starts at 0, and moves only when nothing is ready: then at once to the next
// timer. So sleeping costs nothing, and the order of all that happens in one thread is always the
// same. Seed 0: first in, first out. Time does not wait for other threads: while a timer is set, it
// moves on. Descriptors are looked at before it moves.
fm_driver *fm_driver_virtual(uint64_t seed);

// This thread's domain takes its events from `driver` from now on, which it will free. No timer and
// no watch may be set.
void fm_set_driver(fm_driver *driver);

// ---- hosted: the domain lives in someone else's loop, which calls these, on the domain's thread and outside of activities ----
// `tell`, from any thread: the loop should call fm_host_turn soon; NULL: it waits for fm_host_fd.
// NULL: out of memory.
fm_driver *fm_driver_hosted(void (*tell)(void *ctx), void *ctx);
// Runs what is ready, without waiting and for some milliseconds at most. False: no activity is
// left. Call it once at the start.
bool fm_host_turn(void);
// How long the loop may wait until it should be called again, in milliseconds: 0: not at all; -1:
// until fm_host_fd is readable, or `tell` is called. Ask before each wait: plain code that spawns
// or completes something changes it.
int fm_host_timeout(void);
// readable (poll, select, g_unix_fd_add …) when fm_host_turn has something to do
int fm_host_fd(void);

// What the functions of io.h wait with, for others that wait for descriptors: in this thread's
// domain and its driver.
int fm_watch_start(fm_watch *w); // 0, or an errno: see fm_driver.watch
void fm_watch_stop(fm_watch *w); // before it was ready
void fm_watch_forget(int fd);    // see fm_driver.forget
// Told FM_NEW_STREAM of a new connection, and FM_SHORT_READ when a read of it gave less than it
// could, it says whether trying to read (FM_ASK) is of no use before waiting: no event has come
// since. See fm_driver.hints.
bool fm_watch_drained(int fd, unsigned what);
// For a driver, in its `poll`: a signal has ended the system call (EINTR). Whoever waits by a
// function of posix.h that a signal ends is told.
void fm_watch_interrupted(void);

// ---- plain code that blocks ----
// How many threads work for fm_offload at most, up to 1024; they are made when they are needed, and
// end when there has been nothing to do for five seconds. Before that FERMATA_OFFLOAD=N says so, or
// it is 16. What finds no thread is queued, first in, first out: one piece for each activity that
// waits, so the queue is as long as they are many. Files and names have four threads each of their
// own, so that none of the three has to wait for another. The end of a domain, or of main, takes
// back what is queued, and waits for what has begun.
void fm_offload_threads(unsigned n);

// ---- domains ----
// A new domain with a thread of its own, which sleeps in its driver when it has nothing to do. NULL
// for the driver: the default one. NULL is returned if no thread can be made. The domain frees the
// driver.
fm_domain *fm_domain_new(fm_driver *driver);

// Ends it, from another thread than its own: what still lives in it is cancelled, and has unwound
// when this returns; whoever awaits one of them is thrown a fm_cancelled. What is spawned on it
// meanwhile, or afterwards, counts as cancelled; but once another domain has been made, that one
// may be meant. So it is with the domain of a thread that has ended. The calling thread is blocked:
// what is to be unwound there must not wait for an activity of this thread's domain. When async
// main ends, all domains that are left end in the same way.
void fm_domain_free(fm_domain *d);

// The domain of the thread that calls, for others to spawn on.
fm_domain *fm_domain_here(void);

// ---- pools ----
// (fm_pool is declared in abi.h.) Several domains; 0: as many as the machine has processors. NULL:
// no thread can be made.
fm_pool *fm_pool_new(int domains);
void fm_pool_free(fm_pool *p); // ends them all, as fm_domain_free does
int fm_pool_size(const fm_pool *p);
// NULL: there is none of that number; they are numbered from 0
fm_domain *fm_pool_domain(const fm_pool *p, int i);

#ifdef __cplusplus
}
#endif

#ifndef FERMATA_NO_KEYWORDS
#  ifndef __cplusplus
// fn(arg) in another thread, and what it returns; others run meanwhile. A cancel takes it back if
// it has not begun; once it has, it is waited for, since it may use what arg points to.
async intptr_t fm_offload(intptr_t (*fn)(void *), void *arg);
#  endif
#endif
#endif
