// monitor.c: fm_end_of: how an activity has ended. See runtime/core/monitor.c.
#include "library.h"

static async fm_outcome end_here(fm_activity a) {
  fm_outcome o;
  fm__end_here(a, &o);
  return o;
}

// A guest in the other domain waits for it. The domain may end meanwhile.
static async fm_outcome end_there(fm_activity a, fm_domain *there) {
  fm_outcome unknown = { .how = FM_END_UNKNOWN };
  auto guest = spawn on(there) end_here(a);
  fm__other_domain_left(there);
  try {
    return await guest;
  } catch (struct fm_cancelled e) {
    (void)e;
  }
  return unknown;
}

async fm_outcome fm_end_of(fm_activity a) {
  fm_domain *there = fm__other_domain_of(a);
  if (there)
    return end_there(a, there);
  return end_here(a);
}
