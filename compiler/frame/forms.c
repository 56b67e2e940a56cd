// forms.c: the pass `forms` decides whether the versions call and resume of a function share one
// text (ARCHITECTURE.md, "Many pauses"). In: State.used, State.near. Out: Async.one_body,
// Async.one_version, Async.frame_late, Async.seldom, Async.lands.
#include "fmcc.h"

// s contains a yield, an await or a wait of the library in a loop. Then each turn of the loop
// leaves the function and resumes it.
static bool waits_in_loop(const Async *a, Node *s, bool in_loop) {
  bool loop = s->kind == N_FOR || s->kind == N_WHILE || s->kind == N_DO;
  bool waits = s->kind == N_YIELD || s->kind == N_PAUSE;
  if (in_loop && waits && s->val && a->states[s->val].used &&
      a->states[s->val].near)
    return true;
  Children all = children(s, PART_VALUE | PART_STATEMENT);
  for (Node *c; (c = next_child(&all));)
    if (waits_in_loop(a, c, in_loop || loop))
      return true;
  return false;
}

// How many states a function with two versions may have. One body is less text from four states on,
// but takes some ten instructions more for each call. So that limit is for functions that no other
// function of the unit calls, unless one text would need a frame on entry.
static int most_states(const Async *a) {
  enum { MANY = 5, SEVERAL = 3 };
  if (a->u->opt.small)
    return 0;
  bool apart = !a->quiet.called && !a->frame_on_entry &&
               !waits_in_loop(a, a->body, false);
  return apart ? SEVERAL : MANY;
}

// Each version of a function with many pauses is long and takes the C compiler's time, so call and
// resume share one text. If the function has its frame on entry, or waits in a loop and so will
// need one, that text is the resume version, which the call version enters in a new frame.
// Otherwise it is a body that runs with a frame or without.
static void choose_form(Async *a) {
  int n = 0;
  for (int i = 1; i < a->nstates; i++)
    n += a->states[i].used;
  bool many = n > most_states(a) && !a->u->opt.two_versions &&
              !begins_in_call(a) && !a->up && !a->inner.len && !a->boundary;
  if (many && !a->large && waits_in_loop(a, a->body, false))
    a->frame_on_entry = true;
  a->one_version = many && a->frame_on_entry && !a->large;
  a->one_body = a->large || (many && !a->frame_on_entry);
}

// s contains a loop, or a jump that may lead to a label before it. labels: those before s.
static bool goes_back(Node *s, Vec *labels) {
  if (s->kind == N_FOR || s->kind == N_WHILE || s->kind == N_DO ||
      s->kind == N_GOTO_COMPUTED || s->kind == N_ASM)
    return true;
  if (s->kind == N_LABEL)
    vec_push(labels, s->name);
  for (size_t i = 0; s->kind == N_GOTO && i < labels->len; i++)
    if (labels->at[i] == s->name)
      return true;
  Children all = children(s, PART_VALUE | PART_STATEMENT);
  for (Node *c; (c = next_child(&all));)
    if (goes_back(c, labels))
      return true;
  return false;
}

// A function without a wait of its own and without a loop is resumed only if a callee has paused,
// and then soon returns. Other units may start it, which is not known here.
static bool is_seldom_resumed(Async *a) {
  if (a->one_body || a->one_version || a->up || a->boundary || a->inner.len)
    return false;
  if (!a->decl->sym || a->decl->sym->started || has_code_attributes(a))
    return false;
  for (int i = 1; i < a->nstates; i++)
    if (a->states[i].used && a->states[i].near)
      return false;
  Vec labels = { 0 };
  bool back = goes_back(a->body, &labels);
  vec_free(&labels);
  return !back;
}

static bool declares_resident(const Decl *d) {
  for (; d; d = d->next)
    if (d->init && d->sym && d->sym->local && d->sym->local->resident)
      return true;
  return false;
}

// s uses a variable that lives in the frame. A declaration alone is no use.
static bool uses_resident(Node *s) {
  if (s->kind == N_IDENT && s->sym && s->sym->local && s->sym->local->resident)
    return true;
  if (s->kind == N_DECL && declares_resident(s->decl))
    return true;
  Children all = children(s, PART_ALL);
  for (Node *c; (c = next_child(&all));)
    if (uses_resident(c))
      return true;
  return false;
}

// What the function does before its check on entry needs no frame. The check stands in the
// function's own block, so that all code after it has a frame.
static bool makes_frame_late(const Async *a) {
  if (!a->entry || !a->frame_on_entry || a->one_body || a->one_version ||
      a->inner.len || for_debugging(a->u))
    return false;
  Node *s = a->body->a;
  while (s && s != a->entry && !uses_resident(s))
    s = s->next;
  return s == a->entry;
}

// Sets the fields of `a` that this pass computes.
static void form_of(Async *a) {
  choose_form(a);
  a->frame_late = makes_frame_late(a);
  a->seldom = is_seldom_resumed(a);
  for (int i = 1; i < a->nstates; i++)
    a->lands |= a->states[i].used && a->states[i].landing;
  FOR_EACH (Local, k, a->locals) {
    a->lands |= is_vla(k);
  }
}

void forms_unit(Unit *u) {
  each_async(u, form_of);
}
