// race.c: race: a scope whose children are its arms. The first one to end is the winner, and in that very step the others
// are cancelled, which withdraws what they wait for. An arm for which nothing is left to wait for after what it waits for (the
// compiler says that of each state of a function: fm_code.ends) wins when that has been completed: so of two such waits never both are.
#include "fm.h"

static fm_node *race_here(fm__domain *d) {
  return fm__innermost(d->current ? d->current : &d->host);
}

void fm__race_enter(fm_domain *c) {
  fm__region_enter(fm__of(c), FM__SCOPE | FM__RACE);
}

int fm__race_open(fm_domain *c) {
  fm_node *s = race_here(fm__of(c));
  return !s->winner && !(s->word & FM__CANCELLED);
}

static void decide(fm__domain *d, fm_node *s, fm_node *winner) {
  fm_node *arm = s->child;
  s->winner = winner;
  do {
    if (arm != winner)
      fm__cancel(d, arm);
    arm = arm->next;
  } while (arm != s->child);
}

// Arms that end because the whole race is cancelled do not win.
void fm__arm_ended(fm__domain *d, fm_node *a) {
  fm_node *s = a->parent;
  bool cancelled = s->word & FM__CANCELLED && !(a->word & FM__TARGET) && fm__has_failed(a->leaf) && a->word & FM__CANCELLED;
  if (!s->winner && !cancelled)
    decide(d, s, a);
}

// FM_ENDS: all functions that a is in, which has paused, wait for nothing more; FM_HAS_WAITED: and one of them may have waited before.
static unsigned what_is_left(const fm_node *a) {
  unsigned waited = 0;
  for (const fm_frame *f = a->leaf; f; f = f->parent) {
    unsigned here = f->code->ends ? f->code->ends[f->state] : 0;
    if (!here)
      return 0;
    waited |= here;
  }
  return waited;
}

// What a, which waits, waits for is the last thing it can wait for: all functions that it is in return or throw then. In an atomic of
// its own that is a step of something longer, and its leaf tells nothing.
static bool ends_with_its_wait(fm__domain *d, const fm_node *a) {
  return !a->child && fm__set_of(d, a)->owner != a && what_is_left(a) & FM_ENDS;
}

void fm__arm_wins(fm__domain *d, fm_node *a) {
  if (!a->parent->winner && ends_with_its_wait(d, a))
    decide(d, a->parent, a);
}

// An automatic yield of an arm that has what it waited for, and had not to wait for it: others run now.
void fm__arm_yields(fm__domain *d, fm_node *a) {
  enum { BOTH = FM_ENDS | FM_HAS_WAITED };
  if (!a->parent->winner && !a->child && what_is_left(a) == BOTH)
    decide(d, a->parent, a);
}

static fm_node *undecided(fm__domain *d, fm_node *a) { // an arm that waits for a, and for nothing else
  fm_node *last = fm__last_waiter(a), *w = last;
  do {
    w = w->link;
    if (fm__unlikely(w->word & FM__ARM) && fm__kind(w) == FM__WAWAIT && !w->parent->winner && ends_with_its_wait(d, w))
      return w;
  } while (w != last);
  return NULL;
}

// a has ended. Arms that await it win now, before they take its result: no other arm's win can make them lose that.
void fm__arms_win(fm__domain *d, fm_node *a) {
  for (fm_node *w; (w = undecided(d, a));)
    decide(d, w->parent, w);
}

// ---- its end ----
void fm__race_lost(fm__domain *d, fm_node *s) {
  fm__error_unwanted(d, s->owner, fm__drop_kept(d, s), "in a race that was cancelled");
  fm__region_pop(d, s);
}

void fm__race_wait(fm_domain *c) {
  fm__domain *d = fm__of(c);
  fm_node *s = race_here(d), *a = s->owner;
  fm__region_wait(d, s);
  if (!(s->word & FM__ENDED) || s->winner)
    return;
  fm__race_lost(d, s);
  fm__rearm(a);
  fm__throw_cancel(d);
}

static void move_up(fm_node *a) {
  fm_node *outer = a->parent->parent;
  fm__ring_remove(a);
  fm__ring_add(outer, a);
}

int fm__race_winner(fm_domain *c, fm_task *arms, int n) {
  fm__domain *d = fm__of(c);
  fm_node *s = race_here(d), *a = s->owner, *winner = s->winner;
  int which = -1;
  for (int i = 0; i < n; i++)
    if (arms[i].node == winner && fm__fresh(winner, arms[i].generation))
      which = i;
  move_up(winner);
  winner->word &= ~(uint64_t)FM__ARM;
  fm__errors_of_losers(d, winner, fm__drop_kept(d, s));
  fm__race_lost(d, s);
  fm__rearm(a);
  return which;
}
