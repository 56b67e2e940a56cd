// join.c: async functions of the library over the scheduler's waits (fm_join, fm_checkpoint), in
// the form that fmcc gives to async functions (abi.h). FM_LIBRARY: code of the program uses the
// frames that are made here.
#define FM_LIBRARY
#include "fm.h"

// ---- async void fm_join(fm_activity a) ----
typedef struct JoinFrame {
  fm_frame h;
  fm_activity a;
} JoinFrame;

static void join_resume(fm_domain *c, fm_frame *h) {
  c->result = NULL;
  if (h->state)
    return;
  h->state = 1;
  fm__join(c, ((JoinFrame *)h)->a);
  if (fm__stopped(c) && fm__below(c) == FM_PAUSED && !fm__unwinds(c))
    fm__paused(c, h);
}

static const uint32_t join_lines[] = { 0, 0 };
static const fm_code join_code = {
  .resume = join_resume,
  .name = "fm_join",
  .file = "fermata",
  .lines = join_lines,
  .nstates = 2,
  .size = sizeof(JoinFrame),
  .ends = fm__leaf_ends,
};

void fm_join__fm_call(fm_domain *c, fm_activity a) {
  fm__join(c, a);
} // a leaf wait needs no frame

fm_frame *fm_join__fm_start(fm_domain *c, fm_activity a) {
  JoinFrame *f = (JoinFrame *)fm__frame_new(c, &join_code);
  f->a = a;
  return &f->h;
}

void fm_join__fm_atomic(fm_activity a) {
  fm_domain *c = fm__here();
  fm__join(c, a);
  if (fm__stopped(c) && fm__below(c) == FM_PAUSED)
    fm__atomic_pump(c);
}

const fm_fn fm_join[1] = { { (void (*)(void))fm_join__fm_call,
                             (void (*)(void))fm_join__fm_atomic,
                             (void (*)(void))fm_join__fm_start,
                             &join_code } };

// ---- async void fm_checkpoint(void) ----
static void checkpoint(fm_domain *c) {
  fm__runtime *d = fm__runtime_of(c);
  c->result = NULL;
  if (d->current->waits && !fm__is_atomic(d))
    fm__throw_cancel(d);
}

static void checkpoint_resume(fm_domain *c, fm_frame *h) {
  (void)h;
  checkpoint(c);
}

static const fm_code checkpoint_code = {
  .resume = checkpoint_resume,
  .name = "fm_checkpoint",
  .file = "fermata",
  .lines = join_lines,
  .nstates = 2,
  .size = sizeof(fm_frame),
};

void fm_checkpoint__fm_call(fm_domain *c) {
  checkpoint(c);
}
fm_frame *fm_checkpoint__fm_start(fm_domain *c) {
  return fm__frame_new(c, &checkpoint_code);
}
void fm_checkpoint__fm_atomic(void) {
}

const fm_fn fm_checkpoint[1] = { { (void (*)(void))fm_checkpoint__fm_call,
                                   (void (*)(void))fm_checkpoint__fm_atomic,
                                   (void (*)(void))fm_checkpoint__fm_start,
                                   &checkpoint_code } };

// ---- handles ----
fm_activity fm_id(fm_task t) {
  return fm__id(t);
}
fm_task fm_share(fm_task t) {
  return fm__share(t);
}
void fm_detach(fm_task t) {
  fm__detach(t);
}
