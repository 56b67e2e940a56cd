// sync.c: the functions of sync.h that are made of its other functions: several steps, each of
// which may wait.
#include "library.h"

// It goes on with the mutex locked. If it is cancelled by then, the signal goes to another one.
async void fm_cond_wait(fm_cond *c, fm_mutex *m) {
  fm__relock r = { c, m, false, false };
  fm__far_waiter w;
  bool returns = false;
  defer if (r.signalled && !returns) fm_cond_signal(c);
  fm__cond_park(c, &r, &w);
  fm_checkpoint();
  returns = true;
}

async bool fm_cond_wait_for(fm_cond *c, fm_mutex *m, uint64_t ms) {
  fm__relock_for f = { .relock = { c, m, false, true } };
  fm__far_waiter w;
  bool returns = false;
  defer if (f.relock.signalled && !returns) fm_cond_signal(c);
  fm__cond_park_for(c, &f, &w, ms);
  fm_checkpoint();
  returns = true;
  return !f.late;
}

// If a cancel ends fn, it has not been done.
static async void call_now(fm_once *o, async void (*fn)(void *), void *arg) {
  bool done = false;
  o->fm__state = FM__ONCE_RUNS;
  defer fm__once_end(o, done);
  fn(arg);
  done = true;
}

async void fm_call_once(fm_once *o, async void (*fn)(void *), void *arg) {
  if (o->fm__state == FM__ONCE_RUNS)
    fm__once_wait(o);
  if (o->fm__state != FM__ONCE_DONE)
    call_now(o, fn, arg);
}

async void
fm__chan_send_n(fm__chan *c, const void *from, size_t n, size_t *sent)
    throws(struct fm_closed) {
  const char *at = from;
  size_t here;
  fm__waiter w;
  if (!sent)
    sent = &here;
  for (*sent = 0; *sent < n; ++*sent, at += c->size)
    fm__chan_send(c, (void *)at, &w, c->size, FM__FAR_FROM(&w, at));
}
