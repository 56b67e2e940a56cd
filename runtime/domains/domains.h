// domains.h: several domains, each with a thread. They share no memory of activities: a domain
// sends a message to another domain, whose thread does the work.
#ifndef FM_DOMAINS_H
#define FM_DOMAINS_H

#include "wait/wait.h"

#include <signal.h>

// ---- inbox.c: messages ----
// From any thread that holds d or is sure that d does not end. false: the inbox is closed.
bool fm__inbox_post(fm__runtime *d, fm__msg *m);
// The same; `wake` wakes d if it sleeps.
bool fm__inbox_post_by(fm__runtime *d, fm__msg *m, void (*wake)(fm__runtime *));
bool fm__inbox_drain(fm__runtime *d); // whether there was any
// No thread posts any more; waits for those that are about to leave.
void fm__inbox_close(fm__runtime *d);

// ---- remote.c: spawn on; see also remote.h ----
// The errand of a, which stands for an activity of another domain; NULL: it does not.
struct fm__errand *fm__proxy(const fm_node *a);
void fm__proxy_pause(struct fm__errand *r);
void fm__proxy_resume(struct fm__errand *r);
// The ear hears of the end of a; see fm__hub_hears.
void fm__ear_hears(fm__runtime *d, fm_node *ear, fm_node *a);
// For reports: describes the event that the proxy a waits for.
const char *fm__proxy_wants(const fm_node *a);
// In an atomic, which waits for `proxy`: if its start waits in d's own queue, it begins here.
// Returns the activity, which is in no queue; or NULL.
fm_node *fm__start_here(fm__runtime *d, const fm_node *proxy);
// Guests of other domains were dropped without having ended.
void fm__guests_drop(fm__runtime *d);

// ---- starts.c: activities of a pool that have not begun; see also starts.h ----
// Between turns, with FM__STARTS set: one start of d's own queue begins.
void fm__starts_take(fm__runtime *d);
// d, a domain of a pool, has nothing to do. Returns true if it has taken a start of another domain.
bool fm__starts_steal(fm__runtime *d);
bool fm__starts_visible(fm__runtime *d); // d's pool, if any, has some
bool fm__starts_wait(fm__runtime *d);    // d's own queue has some
void fm__starts_awake(fm__runtime *d);   // d has slept
// d, of a pool, has nothing to do; it has something to do.
void fm__starts_idle(fm__runtime *d);
void fm__starts_busy(fm__runtime *d);
// A slice has ended in d, which is of a pool.
void fm__starts_sliced(fm__runtime *d);
// Whether it is the turn of a start, not of an activity that is ready.
bool fm__starts_turn(fm__runtime *d);
void fm__starts_close(
    fm__runtime *d); // those that wait begin here; d takes no more

// ---- remote-control.c: activities and tasks of other domains ----
bool fm__is_remote(fm_activity a); // not this thread's, or its domain has ended
void fm__remote_cancel(fm_activity a, const char *file, int line);
void fm__remote_pause(fm_activity a);
void fm__remote_resume(fm_activity a);
// An activity of this domain that ends when a has ended.
fm_activity fm__remote_join(fm_domain *c, fm_activity a);
// The word of a node that another thread may be changing; 0: the handle is not valid.
uint64_t fm__remote_word(fm_activity a);
void fm__remote_share(fm_task t);
void fm__remote_detach(fm_task t);
// Gives up a task that has ended, whose error is known here.
void fm__remote_forget(fm_task t);

// ---- remote-await.c: await of a task of another domain ----
void fm__remote_await(fm_domain *c,
                      fm_task t); // the current activity waits, or unwinds
// An activity here that ends as t does. If it takes t's handle, it gets t's value too.
typedef enum { FM__TO_WATCH, FM__TO_TAKE } fm__stand_in_for;
fm_task fm__stand_in(fm_domain *c, fm_task t, fm__stand_in_for what);

// ---- remote-sync.c: objects of sync.h of other domains; the rest is in wait/park.h ----
// d has ended: ends the waits for its objects.
void fm__requests_drop(fm__runtime *d);

// ---- claim.c: which domain ends a wait; see also claim.h ----
// The race s has started its arms: sends what they want of other domains.
void fm__offers_start(fm__runtime *d, fm_node *s);
// The race is decided or gone: no arm of it wants anything elsewhere. NULL is allowed.
void fm__claim_abandon(fm__claim *c);

// ---- deadlock-across.c: deadlocks of several domains ----
// d sleeps, and only other domains can wake it. false: none will.
bool fm__stalled_begin(fm__runtime *d);
void fm__stalled_end(fm__runtime *d);

// ---- pool.c: domains with threads of their own ----
void fm__services_end(void); // the program ends, and so do all of these domains
// Before a thread of the library is made: signals are for the program's threads, except those that
// a thread's own mistakes cause.
void fm__block_signals(sigset_t *before);

#endif
