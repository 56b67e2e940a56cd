// job.c: jobs: computations that have not begun. A job is an image of the frame in which its
// function would start: the arguments, in state 0. Each use begins from a copy of it.
//
// FM_LIBRARY: code of the program uses the frames that are made here.
#define FM_LIBRARY
#include "fm.h"

#include <string.h>

struct fm__job {
  const fm_code *code;
  _Alignas(16) char image[]; // the frame without its head
};

static size_t image_size(const fm_code *code) {
  return code->size - sizeof(fm_frame);
}

fm_job fm__job_new(fm_frame *root) {
  fm__runtime *d = fm__runtime_of(fm__here());
  struct fm__job *j = fm__alloc(sizeof *j + image_size(root->code));
  if (!j)
    fm__out_of_memory("job of ", root->code->name, root->code->size);
  j->code = root->code;
  memcpy(j->image, root + 1, image_size(root->code));
  fm__frame_free(&d->c, root);
  return (fm_job){ j };
}

fm_frame *fm__job_start(fm_domain *c, fm_job j) {
  if (!j.job)
    fm__fatal(fm__runtime_of(c),
              "use of a job that is empty: `job f(x)` makes one");
  fm_frame *f = fm__frame_new(c, j.job->code);
  memcpy(f + 1, j.job->image, image_size(j.job->code));
  return f;
}

// Like a call that has spilled on entry: the copy goes on at once, on an empty stack, and its
// caller waits for the value. Atomic code has no frame: there an activity that the atomic contains
// runs the copy.
void *fm__await_job(fm_domain *c, fm_job j) {
  fm__runtime *d = fm__runtime_of(c);
  fm_frame *f = fm__job_start(c, j);
  if (fm__is_atomic(d))
    return fm__atomic_call(c, f);
  fm__paused(c, f);
  fm__pause_current(d, FM__SPILLED);
  return NULL;
}

void fm__job_free(fm_job j) {
  fm__free(j.job);
}

void fm_job_free(fm_job j) {
  fm__job_free(j);
}
