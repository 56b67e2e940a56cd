// assigned.c: finds the variables that may have a value at each pause, by a forward analysis of the
// lowered body (dataflow.c), and removes the others from State.live. A variable that no path to a
// pause has named need not be kept there, although it seems live because of paths through handlers
// and cleanups:
//
//     int v; try { v = f(); } finally { g(); } return v;         v, at the pause of f
//
// One more member of each set is not a variable: whether the function may have waited already
// (State.past). After a handler a variable may have a value or not, depending on the flow of
// errors, which no C compiler sees. So in functions with handlers such variables begin as 0
// (Local.zeroed).
#include "fmcc.h"

// Notes that s may have a value, or (value false) has none.
static void give(SetWord *set, const Symbol *s, bool value) {
  if (is_tracked(s))
    set_bit(set, (size_t)s->local->index, value);
}

static size_t past_index(const Flow *f) {
  return f->a->locals.len;
}

// Notes that the function may have waited.
static void give_past(const Flow *f, SetWord *set) {
  set_bit(set, past_index(f), true);
}

// A variable that is named may have a value, even where only its type is used.
static bool expression(Flow *f, Node *e, SetWord *set) {
  if (e->kind == N_IDENT)
    give(set, e->sym, true);
  if (e->kind == N_SIZEOF || e->kind == N_ALIGNOF)
    flow_expr(f, e->a, set);
  return false;
}

// ---- statements: the set of variables that may have a value ----
static void declarator(Flow *f, Decl *d, SetWord *set) {
  flow_expr(f, d->init, set);
  give(set, d->sym, d->init);
}

static void note_state(Flow *f, int64_t state, const SetWord *set) {
  if (!f->by_state[state])
    f->by_state[state] = new_set(f);
  add_set(f, f->by_state[state], set);
}

static void pause(Flow *f, Node *s, SetWord *set) {
  flow_expr(f, s->b, set);
  flow_to(f, s->d, set);
  if (!has_second_state(s))
    note_state(f, s->val, set);
  flow_expr(f, s->a, set);
  if (has_second_state(s))
    note_state(f, s->val, set);
  if (pauses_there(s->b))
    give_past(f, set);
  if (has_second_state(s))
    note_state(f, s->val + 1, set);
}

static void tail(Flow *f, Node *s, SetWord *set) {
  flow_expr(f, s->b, set);
  note_state(f, s->val, set);
  empty_set(f, set);
}

static void yield(Flow *f, Node *s, SetWord *set) {
  flow_to(f, s->d, set);
  if (s->val)
    note_state(f, s->val, set);
  give_past(f, set);
}

static void auto_yield(Flow *f, Node *s, SetWord *set) {
  note_state(f, s->val, set);
}

static const FlowRules rules = {
  .expression = expression,
  .declarator = declarator,
  .pause = pause,
  .tail = tail,
  .yield = yield,
  .auto_yield = auto_yield,
};

static bool has_handlers(Async *a) {
  for (int i = 0; i < a->nstates; i++)
    if (a->states[i].landing)
      return true;
  return false;
}

// Sets Local.zeroed of each variable that some pause keeps.
static void zero_kept(Async *a) {
  FOR_EACH (Local, k, a->locals) {
    for (int s = 1; s < a->nstates && !k->resident && !k->zeroed; s++)
      k->zeroed = live_at(&a->states[s], k);
  }
}

void forget_unassigned(Async *a) {
  Flow f = { .a = a, .rules = &rules };
  f.words = (a->locals.len + 63) / 64 + 1;
  f.by_state =
      arena_alloc(&a->u->arena, ((size_t)a->nstates + 1) * sizeof *f.by_state);
  SetWord *start = new_set(&f);
  for (Param *p = a->type->params; p; p = p->next)
    give(start, p->sym, true);
  flow_through(&f, start);
  for (int i = 1; i < a->nstates; i++) {
    const SetWord *given = f.by_state[i];
    a->states[i].past = given && has_bit(given, past_index(&f));
    for (size_t k = 0; a->states[i].live && k < f.words; k++)
      a->states[i].live[k] &= given ? given[k] : 0;
  }
  if (has_handlers(a))
    zero_kept(a);
}
