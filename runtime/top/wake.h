// wake.h: how the server wakes a domain. See wake.c.
#ifndef FM_TOP_WAKE_H
#define FM_TOP_WAKE_H

#include "fm.h"

// On the server. own: it has descriptors of its own; `some` is one of the program's. false: the
// waker is needed for all domains.
bool fm__wakes_begin(bool own, int some);
// On the server: wakes d, which sleeps and does not end meanwhile.
void fm__wake_from_server(fm__runtime *d);
// On d's thread: its driver can be woken by the waker alone.
bool fm__needs_waker(fm__runtime *d);
// On a thread of the program, under the lock of open.c.
void fm__waker_start(void);
void fm__wakes_forget(void); // in a child of fork

#endif
