// restart.c: how often something that fails is started again, and after what delay: for agents and
// supervisors.
//
// The moments of the last restarts are kept in a ring, as far as they are within the period: more
// than `times` of them are too many. An agent that fails at once, again and again, must not bury
// every other message: fm__error_of_restarted reports the same error less and less often.
#include "library.h"

#include <string.h>

void fm__restarts_free(fm__restarts *r) {
  fm__free(r->when);
  r->when = NULL;
}

// ---- how often ----
static void forget_old(fm__restarts *r, uint64_t now) {
  uint64_t period = r->how.within_ms * 1000000;
  while (r->n && r->how.within_ms && now - r->when[r->first] > period) {
    r->first = (r->first + 1) % r->room;
    r->n--;
  }
}

static void grow(fm__restarts *r) {
  size_t room = r->room ? r->room * 2 : 8;
  uint64_t *when = fm__realloc(NULL, room * sizeof *when);
  if (!when)
    fm__out_of_memory("restarts", "", room * sizeof *when);
  for (size_t i = 0; i < r->n; i++)
    when[i] = r->when[(r->first + i) % r->room];
  fm__free(r->when);
  r->when = when;
  r->first = 0;
  r->room = room;
}

bool fm__restart(fm__restarts *r) {
  uint64_t now = fm_now();
  if (r->how.within_ms && now - r->last > r->how.within_ms * 1000000)
    r->delay = 0; // it has lived for long enough
  if (r->how.times < 0)
    return true;
  forget_old(r, now);
  if (r->n >= (size_t)r->how.times)
    return false;
  if (r->n == r->room)
    grow(r);
  r->when[(r->first + r->n++) % r->room] = now;
  return true;
}

// ---- the delay ----
uint64_t fm__restart_next_delay(fm__restarts *r) {
  uint64_t ms = r->delay ? r->delay : r->how.delay_ms;
  uint64_t most = r->how.max_delay_ms;
  if (most < r->how.delay_ms)
    most = r->how.delay_ms;
  r->delay = ms <= most / 2 ? ms * 2 : most;
  return ms;
}

// Something that fails before it waits lets the others run, too: fm_sleep(0) is a yield.
async void fm__restart_delay(fm__restarts *r) {
  fm_sleep(fm__restart_next_delay(r));
}

// ---- reports ----
static void count(fm__restarts *r, const fm_error *e) {
  const char *type = fm_error_name(e);
  const char *file = fm_error_file(e);
  int line = fm_error_line(e);
  bool same = r->type && !strcmp(r->type, type) && !strcmp(r->file, file) &&
              r->line == line;
  r->again = same ? r->again + 1 : 0;
  r->type = type;
  r->file = file;
  r->line = line;
}

// again: it is started again; otherwise its error is thrown.
void fm__restart_report(fm__restarts *r,
                        const fm_error *e,
                        bool again,
                        const char *what) {
  if (r->how.on_error) {
    r->how.on_error(e, r->how.arg);
    return;
  }
  if (!again)
    return;
  count(r, e);
  fm__error_of_restarted(e, what, r->again);
}
