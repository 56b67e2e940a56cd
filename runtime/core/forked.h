// forked.h: what a child of fork can wait for, and what it cannot. See forked.c.
#ifndef FORKED_H
#define FORKED_H

#include <pthread.h>

// by which this process has come from the first one that had a domain
extern unsigned fm__forks;

void fm__count_forks(void); // from now on
// with what is its parent's: a message
__attribute__((cold)) _Noreturn void fm__child_waits(void);
// as pthread_mutex_lock, but a thread that the child does not have may hold it
void fm__pthread_lock(pthread_mutex_t *m);

#endif
