// visit.c: fm_visit: what dumps and `fermata top` say of each node, as data. The walk is by links,
// so that a deep tree needs no stack; it runs between two turns, or in the one of its caller.
#include "fm.h"
#include <fermata/trace.h>

static bool owns_set(fm__runtime *d, const fm_node *a) {
  for (fm__set *s = fm__top_set(d); s && s->owner; s = s->below)
    if (s->owner == a)
      return true;
  return false;
}

fm_state fm__state_of(fm__runtime *d, const fm_node *a) {
  if (a->word & FM__REGION)
    return FM_STATE_OPEN;
  if (a->word & FM__ENDED)
    return FM_STATE_ENDED;
  if (a->word & FM__BODY)
    return FM_STATE_ENDING;
  if (a->word & FM__SET_ASIDE)
    return FM_STATE_PAUSED;
  if (fm__is_waiting(a))
    return FM_STATE_WAITS;
  if (owns_set(d, a))
    return FM_STATE_ATOMIC;
  return a == d->current ? FM_STATE_RUNNING : FM_STATE_READY;
}

const char *fm__node_kind(const fm_node *a) {
  if (!(a->word & FM__REGION))
    return "activity";
  return a->word & FM__SHIELD ? "shield"
         : a->word & FM__RACE ? "race"
                              : "scope";
}

static fm_activity handle(const fm__runtime *d, const fm_node *a) {
  if (!a || a == &d->host)
    return (fm_activity){ 0 };
  return (fm_activity){ (fm_node *)a, fm__generation(a) };
}

static void add_place(fm__runtime *d, fm_info *i, const fm_node *a) {
  fm__place at = fm__place_of(d, a);
  i->function = at.function;
  i->file = at.file;
  i->line = i->state == FM_STATE_RUNNING ? 0 : (int)at.line;
}

static void
describe(fm__runtime *d, fm_info *i, const fm_node *a, char *room, size_t n) {
  *i = (fm_info){ .node = handle(d, a),
                  .parent = handle(d, a->parent),
                  .number = fm__generation(a),
                  .kind = fm__node_kind(a),
                  .name = fm__name_of(d, a),
                  .state = fm__state_of(d, a),
                  .cancelled = a->word & FM__CANCELLED,
                  .paused = a->word & FM__STOPPED,
                  .held = a->word & FM__HELD };
  if (i->state != FM_STATE_OPEN && i->state != FM_STATE_ENDED)
    add_place(d, i, a);
  if (i->state == FM_STATE_WAITS)
    i->wants = fm__wanted(d, a, room, n);
}

static bool show(fm__runtime *d,
                 const fm_node *a,
                 int depth,
                 bool (*fn)(const fm_info *, void *),
                 void *arg) {
  char room[256];
  fm_info i;
  describe(d, &i, a, room, sizeof room);
  i.depth = (unsigned)depth;
  return fn(&i, arg);
}

void fm_visit(fm_activity top,
              bool (*fn)(const fm_info *i, void *arg),
              void *arg) {
  fm__runtime *d = fm__runtime_here();
  int depth = 0;
  if (!d)
    return;
  fm_node *from = &d->host;
  if (top.node) {
    if (fm__is_remote(top) || !fm__is_valid(top.node, top.generation))
      return;
    from = top.node;
    if (!show(d, from, 0, fn, arg))
      return;
  } else {
    depth = -1;
  }
  for (fm_node *a = from; (a = fm__tree_next(from, a, &depth));)
    if (!show(d, a, depth, fn, arg))
      return;
}
