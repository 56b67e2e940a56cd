// gaps.c: for traces: between two turns of an activity others ran; did one of them write what the
// activity had touched before, and touches after? The trace asks when a turn has ended. What an
// activity writes that this one has waited for does not count, nor do other domains.
#include "atomicity/atomicity.h"

// of the turn that has ended last on this thread; 0: none
static __thread uint64_t written_by;

// The same turn goes on if no other one was between, for example after the stack was low.
void fm__gap_begins(fm__self *s) {
  fm__actor *a = s->actor;
  const uint64_t next = a->ended + 2;
  if (a->ended && s->turn == next)
    return;
  a->gap_from = a->ended;
  a->gap_to = a->ended ? s->turn : 0;
  a->gap_by = 0;
}

void fm__gap_ends(fm__self *s) {
  fm__actor *a = s->actor;
  a->ended = s->turn;
  if (a->gap_by)
    written_by = a->gap_by;
}

static bool
has_read(const fm__actor *a, const fm__cell *c, const fm__record *w) {
  for (const fm__record *r = c->reads; r; r = r->next)
    if (r->actor == a && r->mask & w->mask && r->turn < w->turn)
      return true;
  return false;
}

void fm__gap_look(fm__self *s, const fm__cell *c, unsigned mask) {
  fm__actor *a = s->actor;
  for (const fm__record *w = c->writes; w; w = w->next)
    if (w->mask & mask && w->turn > a->gap_from && w->turn < a->gap_to &&
        (w->over == a->generation || has_read(a, c, w)) &&
        fm__is_foreign(s, w)) {
      a->gap_by = w->actor->generation;
      return;
    }
}

uint64_t fm__ato_gap(void) {
  uint64_t by = written_by;
  written_by = 0;
  return by;
}
