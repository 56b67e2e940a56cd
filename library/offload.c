// offload.c: waiting for work that other threads do (runtime/domains/work.c).
#include "library.h"

asyncdirect intptr_t fm__work_wait(fm__work *w,
                                   int crew,
                                   fm_completion(intptr_t) * k) {
  if (fm__work_begin(w, crew, (fm_completion *)k))
    fm_on_cancel(k, fm__work_cancel, w);
  else
    fm_complete(k, 0);
}

async intptr_t fm__offload(int crew, intptr_t (*fn)(void *), void *arg) {
  fm__work *w = fm__work_new(fn, arg, NULL);
  defer fm__work_drop(w);
  intptr_t value = fm__work_wait(w, crew);
  int err = fm__work_refused(w);
  if (err && FM__PAGE) // its files are in memory
    return fn(arg);
  return err ? -(intptr_t)err : value;
}

// It has no way to fail: without a thread the call is done here, and others wait.
async intptr_t fm_offload(intptr_t (*fn)(void *), void *arg) {
  fm__work *w = fm__work_new(fn, arg, NULL);
  defer fm__work_drop(w);
  intptr_t value = fm__work_wait(w, FM__CALLS);
  return fm__work_refused(w) ? fn(arg) : value;
}
