// remote.h: shared by remote.c (spawn on) and remote-await.c (tasks of other domains): an *errand*
// of one domain, *home*, to another, *away*. It is one object, and each message between the two
// domains is a part of it:
//
//     start     home → away   the request itself; of `spawn on(pool)` it is no message (starts.c)
//     control   home → away   the newest wish of home: a cancel, a pause; one such message is
//                             enough, because a newer wish replaces the older one
//     done      away → home   the errand is over; the only such message, after all others
//
// At home an activity waits for it, by a fm__wait that cannot be withdrawn but sends a control.
// Away an *ear* stands in the ring of activities that wait for the end of an activity there.
#ifndef FM_REMOTE_H
#define FM_REMOTE_H

#include "domains/claim.h"

typedef struct fm__errand fm__errand;

typedef struct fm__errand_kind {
  // away: `wanted` has changed; `guest` exists
  void (*obey)(fm__runtime *, fm__errand *, unsigned changed);
  // away: the guest has ended; the ear is out of its ring
  void (*hears)(fm__runtime *, fm__errand *, fm_node *);
  // home: done has come, and the activity still waits
  void (*comes)(fm__runtime *, fm__errand *);
} fm__errand_kind;

enum {
  // values of `state`: which side still counts on the other
  FM__OPEN,
  FM__DONE,
  FM__ABANDONED
};
enum { FM__WANT_CANCEL = 1, FM__WANT_PAUSE = 2 }; // values of `wanted`

struct fm__errand {
  _Alignas(16) fm__wait wait; // of the activity that waits at home
  _Alignas(16) fm_node ear;
  const fm__errand_kind *kind;
  fm__msg start, control, done;
  // remote-await.c: of an await; otherwise its claim is NULL
  fm__offer offer;
  // home's, away's, and that of a control on its way
  _Atomic int references;
  _Atomic int state;
  _Atomic unsigned wanted;
  _Atomic bool queued;  // control is on its way
  bool came;            // home's: done has come, in vain
  bool takes;           // remote-await.c: it uses up the handle
  unsigned char answer; // remote-await.c: the outcome, sent with done
  unsigned obeyed;      // away's: the wishes already fulfilled
  fm__runtime *home;    // NULL: nobody waits
  // A reference; NULL: it has ended, or has not taken the start yet (starts.c).
  fm__runtime *_Atomic away;
  struct fm__starts *_Atomic queue; // in which it waits as a start; or NULL
  fm_node *proxy; // home's: the activity that waits; NULL: it was dropped
  // away's: the activity whose end the ear hears of; NULL: not begun, or ended
  fm_node *guest;
  fm__errand *next, *prev; // away's: in fm__runtime.guests; or in `queue`
  fm_error *error;         // in done: how it failed; NULL: it has not
  // remote.c, with the error FM_CANCELLING: the activity that cancelled it away; zero: none did
  struct fm_cancelled why;
  fm_task task;        // remote-await.c: the task that is awaited
  const fm_code *code; // of the function whose frame `bytes` hold
  fm__locals *locals;  // with which the guest begins; NULL: none
  // remote-await.c: a result that is too large for `bytes`
  void *more;
  size_t size;               // bytes that follow
  _Alignas(16) char bytes[]; // the arguments, later the result
};

// The wait of an activity that stands for one of another domain: it never runs.
extern const fm__wait_kind fm__errand_wait;
// NULL: out of memory. away: with a reference, or NULL.
fm__errand *
fm__errand_new(const fm__errand_kind *e, fm__runtime *away, size_t size);
void fm__errand_release(fm__errand *r);
// a, which does not run, waits for it.
void fm__errand_waits(fm__runtime *d, fm__errand *r, fm_node *a);
void fm__errand_link(fm__runtime *d, fm__errand *r, fm_node *a);
// The ear goes to the end of the ring of activities that wait for a.
void fm__errand_listen(fm__errand *r, fm_node *a, unsigned kind);
// Fulfils the newest wishes.
void fm__errand_obey(fm__runtime *d, fm__errand *r);
void fm__errand_unlink(fm__runtime *d, fm__errand *r);
void fm__errand_finish(fm__errand *r); // away has no more to do for it
bool fm__errand_withdraw(fm__runtime *d, fm_node *a); // of fm__wait_kind
void fm__errand_drop(fm__runtime *d, fm_node *a);     // of fm__wait_kind
#endif
