// offload.c: waiting for work that other threads do (runtime/work.c).
#include "library.h"

asyncdirect intptr_t fm__work_wait(fm__work *w, int crew, fm_completion(intptr_t) *k) {
  fm__work_begin(w, crew, (fm_completion *)k);
  fm_on_cancel(k, fm__work_cancel, w);
}

async intptr_t fm__offload(int crew, intptr_t (*fn)(void *), void *arg) {
  fm__work *w = fm__work_new(fn, arg, NULL);
  defer fm__work_drop(w);
  return fm__work_wait(w, crew);
}

async intptr_t fm_offload(intptr_t (*fn)(void *), void *arg) {
  return fm__offload(FM__CALLS, fn, arg);
}
