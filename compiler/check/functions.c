// functions.c: the pass `check`: checks that need a whole function. In: the items of the unit, with
// the places that may throw and the tasks that are kept. Out: messages, and Item.failed.
#include "fmcc.h"

static void check_function(Unit *u, Item *it) {
  it->thrown = thrown_in_order(it->thrown);
  it->kept = thrown_in_order(it->kept);
  check_thrown(u, it->thrown, it->type);
  check_kept(u, it->kept);
}

// A function that failed gets no more messages.
static void check_variadic(Async *a) {
  refuse_variadic(a);
  FOR_EACH (Async, body, a->jobs) {
    refuse_variadic(body);
  }
}

void check_unit(Unit *u) {
  for (Item *it = u->items; it; it = it->next) {
    int errors = u->errors;
    u->external = it->external;
    if (it->tree)
      check_function(u, it);
    it->failed |= u->errors != errors;
    if (it->async && !it->failed)
      check_variadic(it->async);
  }
}
