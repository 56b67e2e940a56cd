// epoll.h: a set of watched descriptors, for the drivers that wait in real time. What it promises is in epoll.c.
#ifndef EPOLL_H
#define EPOLL_H

#include "drivers/drivers.h"

typedef struct fm__descriptor {                   // of a descriptor; all zero: nothing is known of it
  fm_watch *watches;                              // of it, linked by next and back
  uint64_t due;                                   // listed: when it is looked at
  int newer;                                      // listed: the next one; -1: none
  uint8_t registered;                             // the events that the kernel was told of
  uint8_t missed;                                 // events that came when no one wanted them, since the kernel was last told
  bool doubtful;                                  // it is waited for, and the kernel may know nothing of it
  bool listed;                                    // in the list of those that are or were so
  bool again;                                     // listed: it has become doubtful once more since
  uint8_t proofs;                                 // times in the list that showed that the kernel knows it; see epoll.c
} fm__descriptor;

typedef struct fm__epoll {
  fm_driver *driver;                              // its hints are kept here, too, by descriptor
  int fd;                                         // the kernel's set; readable when something is ready or someone has waked
  int wakes;                                      // an eventfd in it
  fm__descriptor *entries;                        // by descriptor
  size_t room;
  size_t watches;                                 // how many there are
  struct { int oldest, newest; } lists[2];        // of those listed: the proven ones are in the second; -1: there are none
  uint64_t looked;                                // when it last waited
  unsigned forks;                                 // it belongs to the process with that count of them
  bool coarse;                                    // it has no waits to the nanosecond: the kernel, or what stands before it, has said so
} fm__epoll;

bool fm__epoll_open(fm__epoll *e, fm_driver *driver);
void fm__epoll_close(fm__epoll *e);
int fm__epoll_watch(fm__epoll *e, fm_watch *w);
void fm__epoll_unwatch(fm__epoll *e, fm_watch *w);
void fm__epoll_forget(fm__epoll *e, int fd);
uint64_t fm__epoll_before(fm__epoll *e, uint64_t until); // before any wait: how long that may last at most
void fm__epoll_settle(fm__epoll *e, uint64_t time); // whoever was ready at that time has been told: what is doubtful since long is told again
size_t fm__epoll_wait(fm__epoll *e, uint64_t until); // both, and waits between
void fm__epoll_wake(fm__epoll *e);
uint64_t fm__clock(void);                         // monotonic, in nanoseconds

#endif
