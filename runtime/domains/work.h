// work.h: plain code that runs in other threads while an activity waits for it. See work.c.
#ifndef WORK_H
#define WORK_H

#ifndef FERMATA_NO_KEYWORDS
#  define FERMATA_NO_KEYWORDS
#endif
#include <fermata/pool.h>

// The crews: for fm_offload, for files, for names of hosts.
enum { FM__CALLS, FM__FILES, FM__HOSTS, FM__CREWS };

typedef struct fm__work fm__work;
// Never NULL. With `release`, release(arg) is called when nothing uses arg any more, and a cancel
// does not wait for fn.
fm__work *
fm__work_new(intptr_t (*fn)(void *), void *arg, void (*release)(void *));
void fm__work_drop(fm__work *w); // its maker has no more use for it
// Completes k, of an intptr_t, with the value that fn returns. false: see fm__work_refused.
bool fm__work_begin(fm__work *w, int crew, fm_completion *k);
// 0, or an errno: no thread could be made for it, and it was not begun.
int fm__work_refused(const fm__work *w);
// In a child of fork: all threads are its parent's.
void fm__crews_forget(void);
void fm__work_cancel(void *w); // for fm_on_cancel

#endif
