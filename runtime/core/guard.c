// guard.c: the slow paths of generated code's checks (abi.h). A function checks the guard of its
// domain after each call, at each automatic yield and on entry; one compare is the usual case. If
// the compare fails, one of these functions finds out why: the slice is over, something has paused,
// or the stack is low. They set the guard to the reason, which the loop reads (sched.c).
#include "fm.h"

#include <string.h>

void fm__rare_done(fm__runtime *d) {
  if (fm__reason(d) != FM__PAUSED)
    fm__pause_current(d, FM__AGAIN);
}

int fm__tail(fm_domain *c, fm_frame *f) {
  if (!c->top && !f->parent)
    return 0;
  if (c->top)
    c->top->parent = f->parent;
  else
    c->top = f->parent;
  fm__frame_free(c, f);
  return 1;
}

// The guard is FM_STOP, and nothing has paused: the slice is over, or a dump is wanted.
int fm__slice(fm_domain *c) {
  fm__runtime *d = fm__runtime_of(c);
  fm__set_guard(d, d->rest);
  fm__dump_if_wanted(d);
  if (d->attention & FM__SLOW)
    fm__watchdog_turn(d, true);
  fm__look(d);
  if (!fm__top_set(d)->head && d->rest == d->limit && !d->host_waits)
    return FM_GO;
  fm__pause_current(d, FM__SLICED);
  return FM_YIELDED;
}

// ---- a call that has ended before its caller's slice ended ----
typedef struct HeldFrame {
  fm_frame h;
  _Alignas(16) unsigned char value[sizeof((fm_domain *)0)->held];
} HeldFrame;

// It returns at once: the caller finds the value where the result of any call is.
static void held_resume(fm_domain *c, fm_frame *h) {
  (void)c, (void)h;
}

static const unsigned char held_ends[] = { FM_ENDS | FM_HAS_WAITED };
const fm_code fm__held_code = {
  .resume = held_resume,
  .name = "fm__held",
  .file = "fermata",
  .size = sizeof(HeldFrame),
  .result = offsetof(HeldFrame, value),
  .result_size = sizeof((HeldFrame *)0)->value,
  .lands = FM_OF_LIBRARY,
  .ends = held_ends,
};

static void hold(fm_domain *c) {
  HeldFrame *f = (HeldFrame *)fm__frame_new(c, &fm__held_code);
  memcpy(f->value, c->held, sizeof f->value);
  fm__paused(c, &f->h);
}

void fm__stop(fm_domain *c, fm_frame *f, uint32_t state) {
  fm__runtime *d = fm__runtime_of(c);
  bool over = fm__guard(c) == FM_STOP;
  f->state = (uint16_t)((state & FM_STATE) + (over && state & FM_AFTER));
  if (over) {
    fm__dump_if_wanted(d);
    fm__pause_current(d, FM__SLICED);
    if (state & FM_HELD)
      hold(c);
  } else if (!fm__reason(d)) {
    fm__pause_current(d, FM__SPILLED);
  }
  fm__paused(c, f);
}

fm_frame *
fm__leave(fm_domain *c, fm_frame *f, const fm_code *code, uint32_t state) {
  if (fm__unlikely(fm__unwinds(c))) {
    fm__passes(code, state & FM_STATE);
    return NULL;
  }
  if (fm__likely(f != NULL) && fm__only_pauses(c)) {
    fm__paused_here(c, f, (uint16_t)state);
    return f;
  }
  if (!f)
    f = fm__frame_new(c, code);
  fm__stop(c, f, state);
  return f;
}

int fm__go_on(fm_domain *c) {
  fm__set_guard(fm__runtime_of(c), fm__runtime_of(c)->rest);
  return FM_GO;
}

// The end of a slice is left to the next automatic yield. But while the guard is FM_STOP, no check
// reports that the stack is low for a function with large locals. So near the limit the function
// spills, to be sure.
int fm__entry(fm_domain *c) {
  fm__runtime *d = fm__runtime_of(c);
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (fm__guard(c) == FM_STOP && here > d->limit + d->margin)
    return FM_GO;
  fm__pause_current(d, FM__SPILLED);
  return FM_PAUSED;
}
