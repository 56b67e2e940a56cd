// forked.h: which waits are possible in a child of fork. See forked.c.
#ifndef FORKED_H
#define FORKED_H

#include <pthread.h>

// How many forks lie between the first process that had a domain and this one.
extern unsigned fm__forks;

void fm__count_forks(void); // begins to count
// The child waits for something of its parent's: a message, and the end of the process.
__attribute__((cold)) _Noreturn void fm__child_waits(void);
// Like pthread_mutex_lock. In a child, a thread that exists only in the parent may hold the lock.
void fm__pthread_lock(pthread_mutex_t *m);

#endif
