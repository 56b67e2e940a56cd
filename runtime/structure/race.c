// race.c: race: a scope whose children are its arms. The first arm to end is the winner. In the
// same step the others are cancelled, which withdraws their waits. Some waits are the last of their
// arm: after them it can wait for nothing more (the compiler records that for each state of a
// function: fm_code.ends). Such an arm wins when the wait is completed, so two such waits are never
// both completed.
#include "domains/claim.h"
#include "wait/park.h"

fm_node *fm__race_here(fm__runtime *d) {
  return fm__innermost(d->current ? d->current : &d->host);
}

void fm__race_enter(fm_domain *c) {
  fm__region_enter(fm__runtime_of(c), FM__SCOPE | FM__RACE);
}

int fm__race_open(fm_domain *c) {
  fm_node *s = fm__race_here(fm__runtime_of(c));
  return !fm__winner(s) && !(s->word & FM__CANCELLED);
}

// winner: s itself: `default:`
static void decide(fm__runtime *d, fm_node *s, fm_node *winner) {
  fm_node *arm = s->child;
  fm__claim *c = fm__claim_of(s);
  bool held = fm__lines_hold(d);
  s->winner = winner;
  if (arm)
    do {
      if (arm != winner)
        fm__cancel(d, arm);
      arm = arm->next;
    } while (arm != s->child);
  fm__claim_abandon(c);
  fm__lines_release(d, held);
}

void fm__race_hurries(fm_domain *c) {
  fm__race_here(fm__runtime_of(c))->word |= FM__HURRIES;
}

void fm__race_default(fm_domain *c) {
  fm__runtime *d = fm__runtime_of(c);
  fm_node *s = fm__race_here(d);
  if (fm__race_open(c))
    decide(d, s, s);
}

void fm__race_settle(fm__runtime *d, fm_node *s) {
  fm__claim *c = fm__claim_of(s);
  uintptr_t word = c ? atomic_load(&c->word) : FM__UNCLAIMED;
  if (word != FM__UNCLAIMED && word != FM__HELD_FOR_TWO && word != FM__AT_HOME)
    decide(d, s, ((fm__offer *)word)->node);
}

// No arm has won, here or in another domain, and from now on none will in another domain.
static bool is_open(fm__runtime *d, fm_node *s) {
  fm__claim *c = fm__claim_of(s);
  if (fm__winner(s))
    return false;
  if (!c || atomic_load(&c->word) == FM__AT_HOME ||
      fm__claim_take(c, FM__AT_HOME))
    return true;
  fm__race_settle(d, s);
  return false;
}

// Arms that end because the whole race is cancelled do not win.
void fm__arm_ended(fm__runtime *d, fm_node *a) {
  fm_node *s = a->parent;
  bool cancelled = s->word & FM__CANCELLED && !(a->word & FM__TARGET) &&
                   fm__has_failed(a->leaf) && a->word & FM__CANCELLED;
  if (!cancelled && is_open(d, s))
    decide(d, s, a);
}

// a has paused. FM_ENDS: all functions that it is in wait for nothing more. FM_HAS_WAITED: and one
// of them may have waited before.
static unsigned what_is_left(const fm_node *a) {
  unsigned waited = 0;
  unsigned ends = FM_ENDS;
  for (const fm_frame *f = a->leaf; f; f = f->parent) {
    unsigned here = f->code->ends ? f->code->ends[f->state] : 0;
    if (!(here & ends))
      return 0;
    waited |= here;
    ends = fm__is_held(f) ? FM_ENDS_AFTER : FM_ENDS;
  }
  return waited & (FM_ENDS | FM_HAS_WAITED);
}

// The present wait of a is the last that it can have: all functions that it is in return or throw
// after it. In an atomic of its own that wait is a step of something longer, and its leaf says
// nothing.
bool fm__ends_with_its_wait(fm__runtime *d, const fm_node *a) {
  return !a->child && fm__set_of(d, a)->owner != a && what_is_left(a) & FM_ENDS;
}

void fm__arm_wins(fm__runtime *d, fm_node *a) {
  if (!fm__winner(a->parent) && fm__ends_with_its_wait(d, a) &&
      is_open(d, a->parent))
    decide(d, a->parent, a);
}

// An automatic yield of an arm that has got what it wanted without waiting: others run now.
void fm__arm_yields(fm__runtime *d, fm_node *a) {
  enum { BOTH = FM_ENDS | FM_HAS_WAITED };
  if (!fm__winner(a->parent) && !a->child && what_is_left(a) == BOTH &&
      is_open(d, a->parent))
    decide(d, a->parent, a);
}

// In an atomic the current activity, an arm, goes on in any case.
bool fm__has_lost(fm_domain *c) {
  fm__runtime *d = fm__runtime_of(c);
  if (fm__is_atomic(d))
    return false;
  fm__race_settle(d, d->current->parent);
  return fm__lost_race(d->current) && fm__is_armed(d);
}

// An arm that has had several slices may have lost by now, without having met its cancel. It must
// not do anything more that others can notice. If it has not lost, but arms with offers in other
// domains may win at any moment, its operation becomes an offer too.
bool fm__arm_goes_on(fm_domain *c) {
  fm__runtime *d = fm__runtime_of(c);
  fm_node *s = d->current->parent;
  if (fm__is_atomic(d))
    return true;
  if (fm__has_lost(c)) {
    fm__throw_cancel(d);
    return false;
  }
  d->as_offer = s->word & FM__BODY && fm__claim_of(s);
  return true;
}

// An arm that waits for a, and for nothing after that.
static fm_node *undecided(fm__runtime *d, fm_node *a) {
  fm_node *last = fm__last_waiter(a);
  fm_node *w = last;
  if (last)
    do {
      w = w->link;
      if (fm__unlikely(w->word & FM__ARM) && fm__waits_kind(w) == FM__WAWAIT &&
          !fm__winner(w->parent) && fm__ends_with_its_wait(d, w))
        return w;
    } while (w != last);
  return NULL;
}

// a has ended. Arms that await it win now, before they take its result: no other arm can make them
// lose it. If an arm has won in another domain, they leave instead.
void fm__arms_win(fm__runtime *d, fm_node *a) {
  for (fm_node *w; (w = undecided(d, a));)
    if (is_open(d, w->parent))
      decide(d, w->parent, w);
}

// ---- a race in which no arm takes part: it waits until it is cancelled ----
static const fm__wait_kind no_arm =
    FM__KIND("an arm of its race: none takes part");

static FM_COLD void wait_for_ever(fm__runtime *d, fm_node *s) {
  fm_node *a = s->owner;
  if (!d->never) {
    d->never = fm__buffer_new(d, NULL, sizeof *d->never);
    *d->never = (fm__queue){ 0 };
  }
  fm__race_lost(d, s);
  fm__rearm(a);
  fm__park_far(d, d->never, NULL, &no_arm, NULL);
}

// ---- its end ----
// A race is left: frees its claim and its list of arms.
void fm__race_forget(fm__runtime *d, fm_node *s) {
  fm__claim_abandon(fm__claim_of(s));
  if (s->handles)
    fm__arms_free(d, s);
}

void fm__race_lost(fm__runtime *d, fm_node *s) {
  fm__error_unwanted(d,
                     s->owner,
                     fm__drop_kept(d, s),
                     "in a race that was cancelled");
  fm__region_pop(d, s);
}

void fm__race_wait(fm_domain *c) {
  fm__runtime *d = fm__runtime_of(c);
  fm_node *s = fm__race_here(d);
  fm_node *a = s->owner;
  if (fm__unlikely(!s->child) && fm__race_open(c)) {
    wait_for_ever(d, s);
    return;
  }
  fm__offers_start(d, s);
  fm__region_wait(d, s);
  if (!(s->word & FM__ENDED) || fm__winner(s))
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

// The winner is an activity of its own now; the race is gone.
void fm__race_over(fm__runtime *d, fm_node *s) {
  fm_node *a = s->owner;
  fm_node *winner = s->winner;
  if (!fm__is_default(s)) {
    move_up(winner);
    winner->word = (winner->word & ~(uint64_t)FM__ARM) | FM__WON;
    fm__errors_of_losers(d, winner, fm__drop_kept(d, s));
  }
  fm__race_lost(d, s);
  fm__rearm(a);
}

int fm__race_winner(fm_domain *c, fm_task *arms, int n) {
  fm__runtime *d = fm__runtime_of(c);
  fm_node *s = fm__race_here(d);
  fm_node *winner = s->winner;
  int which = -1;
  for (int i = 0; i < n; i++)
    if (arms[i].node == winner && fm__is_valid(winner, arms[i].generation))
      which = i;
  fm__race_over(d, s);
  return which;
}
