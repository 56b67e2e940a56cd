// epoll.h: a set of watched descriptors, for the drivers that wait in real time. epoll.c describes
// its guarantees.
#ifndef EPOLL_H
#define EPOLL_H

#include "drivers/drivers.h"

// The state of a descriptor; all zero: nothing is known.
typedef struct fm__descriptor {
  fm_watch *watches;  // its watches, linked by next and back
  uint64_t due;       // while listed: when it is looked at
  int newer;          // while listed: the next one; -1: none
  uint8_t registered; // events that the kernel was asked for
  // events that came while nothing wanted them, since the last registration
  uint8_t missed;
  // an activity waits for it, and the kernel may not know it
  bool doubtful;
  bool listed; // in the list of entries that are or were doubtful
  bool again;  // while listed: it has become doubtful once more
  // times in the list that proved that the kernel knows it, see epoll.c
  uint8_t proofs;
  // level-triggered: reported until it is read
  bool level;
  uint8_t
      ignored;  // while level: how often in succession nothing wanted the event
  uint8_t edge; // waits until it may be level again
  uint16_t tag; // of the last registration, not 0; events have it
} fm__descriptor;

typedef struct fm__epoll {
  fm_driver *driver; // has the hints, by descriptor
  // the kernel's set; readable when something is ready or a thread has woken it
  int fd;
  int wakes; // an eventfd in it
  // a timerfd in it, which ends a wait when a doubt is due; -1: there is none
  int timer;
  fm__descriptor *entries; // by descriptor
  size_t room;
  size_t watches; // how many there are
  // the lists of doubtful entries; the second is for proven ones; -1: empty
  struct {
    int oldest, newest;
  } lists[2];
  uint64_t looked; // when it last waited
  // when the timer will end a wait, or 0; when it did so in the last wait, or 0
  uint64_t armed, fired;
  // no doubt is due before the timer ends the wait
  bool timed;
  // it belongs to the process with that count of forks
  unsigned forks;
  // another loop waits for `fd`: no entry is level, and the set is never renewed
  bool shared;
  // events of the last wait that belong to no registration; waits in succession with only such
  int stale;
  unsigned vain;
  // no waits to the nanosecond: the kernel, or a tool in front of it, refused one
  bool coarse;
} fm__epoll;

bool fm__epoll_open(fm__epoll *e, fm_driver *driver);
void fm__epoll_close(fm__epoll *e);
int fm__epoll_watch(fm__epoll *e, fm_watch *w);
void fm__epoll_unwatch(fm__epoll *e, fm_watch *w);
void fm__epoll_forget(fm__epoll *e, int fd);
// From now on another loop waits for e->fd.
void fm__epoll_share(fm__epoll *e);
// Before any wait: how long the wait may last at most.
uint64_t fm__epoll_before(fm__epoll *e, uint64_t until);
// All watches ready at that time have been called: registers long doubtful entries again.
void fm__epoll_settle(fm__epoll *e, uint64_t time);
// both, and the wait between
size_t fm__epoll_wait(fm__epoll *e, uint64_t until);
void fm__epoll_wake(fm__epoll *e);

// ---- uv.c ----
// The descriptor that wakes the default driver; -1: it is another driver.
int fm__uv_wakes(const fm_driver *driver);

#endif
