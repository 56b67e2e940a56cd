// epoll.h: a set of watched descriptors, for the drivers that wait in real time. What it promises
// is in epoll.c.
#ifndef EPOLL_H
#define EPOLL_H

#include "drivers/drivers.h"

// of a descriptor; all zero: nothing is known of it
typedef struct fm__descriptor {
  fm_watch *watches;  // of it, linked by next and back
  uint64_t due;       // listed: when it is looked at
  int newer;          // listed: the next one; -1: none
  uint8_t registered; // the events that the kernel was told of
  // events that came when no one wanted them, since the kernel was last told
  uint8_t missed;
  // it is waited for, and the kernel may know nothing of it
  bool doubtful;
  bool listed; // in the list of those that are or were so
  bool again;  // listed: it has become doubtful once more since
  // times in the list that showed that the kernel knows it; see epoll.c
  uint8_t proofs;
} fm__descriptor;

typedef struct fm__epoll {
  fm_driver *driver; // its hints are kept here, too, by descriptor
  // the kernel's set; readable when something is ready or someone has waked
  int fd;
  int wakes;               // an eventfd in it
  fm__descriptor *entries; // by descriptor
  size_t room;
  size_t watches; // how many there are
  // of those listed: the proven ones are in the second; -1: there are none
  struct {
    int oldest, newest;
  } lists[2];
  uint64_t looked; // when it last waited
  // it belongs to the process with that count of them
  unsigned forks;
  // it has no waits to the nanosecond: the kernel, or what stands before it, has said so
  bool coarse;
} fm__epoll;

bool fm__epoll_open(fm__epoll *e, fm_driver *driver);
void fm__epoll_close(fm__epoll *e);
int fm__epoll_watch(fm__epoll *e, fm_watch *w);
void fm__epoll_unwatch(fm__epoll *e, fm_watch *w);
void fm__epoll_forget(fm__epoll *e, int fd);
// before any wait: how long that may last at most
uint64_t fm__epoll_before(fm__epoll *e, uint64_t until);
// whoever was ready at that time has been told: what is doubtful since long is told again
void fm__epoll_settle(fm__epoll *e, uint64_t time);
size_t fm__epoll_wait(fm__epoll *e, uint64_t until); // both, and waits between
void fm__epoll_wake(fm__epoll *e);
uint64_t fm__clock(void); // monotonic, in nanoseconds

#endif
