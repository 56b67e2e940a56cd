// remote.h: what remote.c (spawn on) and remote-await.c (tasks of other domains) share: an errand
// of one domain, *home*, to another, *away*. It is one object, a part of which is each message
// between the two:
//
//     start     home → away   what is asked
//     control   home → away   what home wants now: that it is cancelled, paused; it holds the newest wish, so one is enough
//     done      away → home   it is over; there is one such message, and not before all else is
//
// At home someone waits for it, with an fm__wait that cannot be withdrawn but sends a control. Away
// an *ear* stands among those that wait for the end of an activity there.
#ifndef FM_REMOTE_H
#define FM_REMOTE_H

#include "domains/claim.h"

typedef struct fm__errand fm__errand;

typedef struct fm__errand_kind {
  // away: what is wanted has changed; `guest` is there
  void (*obey)(fm__runtime *, fm__errand *, unsigned changed);
  // away: the end of the guest; the ear is out of its ring
  void (*hears)(fm__runtime *, fm__errand *, fm_node *);
  // home: done has come, and who waits is still there
  void (*comes)(fm__runtime *, fm__errand *);
} fm__errand_kind;

enum {
  // state: who still counts on the other
  FM__OPEN,
  FM__DONE,
  FM__ABANDONED
};
enum { FM__WANT_CANCEL = 1, FM__WANT_PAUSE = 2 }; // wanted

struct fm__errand {
  _Alignas(16) fm__wait wait; // of who waits at home
  _Alignas(16) fm_node ear;
  const fm__errand_kind *kind;
  fm__msg start, control, done;
  // remote-await.c: of an await; else its claim is NULL
  fm__offer offer;
  // home's, away's, and of a control that is on its way
  _Atomic int references;
  _Atomic int state;
  _Atomic unsigned wanted;
  _Atomic bool queued;  // control is on its way
  bool came;            // home's: done has come, in vain
  bool takes;           // remote-await.c: the handle is used up
  unsigned char answer; // remote-await.c: what done says
  unsigned obeyed;      // away's: what was wanted last
  fm__runtime *home;    // NULL: no one waits
  // of which this is a reference; NULL: it has ended
  fm__runtime *away;
  fm_node *proxy; // home's: who waits; NULL: it was dropped
  // away's: of whose end the ear hears; NULL: it has not begun, or has ended
  fm_node *guest;
  fm__errand *next, *prev; // away's: in its list of guests
  fm_error *error;         // done: how it failed; NULL: it has not
  // remote.c, error is FM_CANCELLING: who did it away; nothing: it was not done there
  struct fm_cancelled why;
  fm_task task;        // remote-await.c: whose end is waited for
  const fm_code *code; // of what `bytes` belong to
  // remote-await.c: a result that `bytes` does not hold
  void *more;
  size_t size;               // of what follows
  _Alignas(16) char bytes[]; // the arguments, later the result
};

// of an activity that stands for one elsewhere: it never runs
extern const fm__wait_kind fm__errand_wait;
// NULL: out of memory; away: held, or NULL
fm__errand *
fm__errand_new(const fm__errand_kind *e, fm__runtime *away, size_t size);
void fm__errand_release(fm__errand *r);
// a, which does not run, waits for it
void fm__errand_waits(fm__runtime *d, fm__errand *r, fm_node *a);
void fm__errand_link(fm__runtime *d, fm__errand *r, fm_node *a);
// the ear, at the end of the ring of those that wait for a
void fm__errand_listen(fm__errand *r, fm_node *a, unsigned kind);
void fm__errand_obey(fm__runtime *d, fm__errand *r); // what is wanted by now
void fm__errand_unlink(fm__runtime *d, fm__errand *r);
void fm__errand_finish(fm__errand *r);                // away is through with it
bool fm__errand_withdraw(fm__runtime *d, fm_node *a); // of fm__wait_kind
void fm__errand_drop(fm__runtime *d, fm_node *a);     // likewise
#endif
