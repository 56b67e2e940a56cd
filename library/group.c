// group.c: the functions of group.h that wait, and when a call is tried again.
#include "library.h"

// ---- groups ----
async void fm_group_wait(fm_group *g) {
  if (!g->fm__unlimited)
    fm_sem_wait(&g->fm__seats);
  g->fm__promised++;
}

async size_t fm_group_next(fm_group *g) {
  bool got = false;
  if (!g->fm__kept)
    return FM_NONE;
  g->fm__kept--;
  defer g->fm__kept += !got;
  fm_sem_wait(&g->fm__news);
  got = true;
  return fm__group_take(g);
}

// ---- starting ----
void fm__starting_init(fm__starting *s) {
  fm_sem_init(&s->ready, 0);
  s->is = false;
}

void fm__starting_is(fm__starting *s) {
  if (s->is)
    return;
  s->is = true;
  fm_sem_post(&s->ready);
}

async void fm__start_wait(fm__starting *s, fm_activity child) {
  bool waits = true;
  defer if (waits) fm_cancel(child);
  race {
  case fm_sem_wait(&s->ready):
    break;
  case fm_join(child):
    break;
  }
  waits = false;
}

// ---- retry ----
void fm__retry_begin(fm__retry *r, struct fm_retry how) {
  *r = (fm__retry){
    .how = how,
    .began = fm_now(),
    .delay = (double)how.delay_ms,
  };
}

static double smaller(double a, double b) {
  return a < b ? a : b;
}

// A part of the delay is random: from delay × (1 − jitter) to delay.
static double with_jitter(const fm__retry *r, double delay) {
  enum { STEPS = 1 << 20 };
  double part = smaller(r->how.jitter, 1);
  if (part <= 0)
    return delay;
  return delay * (1 - part * (double)fm__random(STEPS) / STEPS);
}

static uint64_t next_delay(fm__retry *r) {
  const double longest = 1e15; // some thousand years
  double most = r->how.max_delay_ms ? (double)r->how.max_delay_ms : longest;
  double delay = smaller(r->delay, most);
  r->delay = smaller(delay * (r->how.factor > 0 ? r->how.factor : 2), longest);
  return (uint64_t)(with_jitter(r, delay) + 0.5);
}

static bool is_too_late(const fm__retry *r, uint64_t ms) {
  enum { NS = 1000000 };
  uint64_t passed = (fm_now() - r->began) / NS;
  return r->how.within_ms &&
         (passed > r->how.within_ms || ms > r->how.within_ms - passed);
}

bool fm__retry_again(fm__retry *r, const fm_error *e, uint64_t *ms) {
  r->attempts++;
  if (r->how.attempts && r->attempts >= r->how.attempts)
    return false;
  if (r->how.again && !r->how.again(e, r->how.arg))
    return false;
  *ms = next_delay(r);
  return !is_too_late(r, *ms);
}

async void fm__retry_sleep(uint64_t ms) {
  fm_sleep(ms);
}
