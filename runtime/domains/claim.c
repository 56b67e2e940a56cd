// claim.c: which domain ends a wait that several domains can end. An operation on an object of
// another domain is an *offer*: it travels there, and may wait there for its partner, while at home
// a cancel, a deadline or another arm of its race may come first. A word that all of them can
// reach, the *claim*, decides. A domain that ends the wait takes the claim before it does anything.
// An offer whose claim was taken by something else is void: it has no effect, wherever it stands.
//
//     UNCLAIMED ⇄ HELD          by a domain that needs two claims, for some instructions
//         ↓        ↓
//     AT_HOME, or the offer that has been taken: for good
//
// A single wait has a claim of its own. The arms of a race that end with their waits (fm__arm_wins)
// share one claim, which the race makes for them: so only one of them has an effect. Arms that wait
// at home take the claim too. If both sides of an operation are offers, both claims are taken, or
// none: they are held in the order of their addresses, so that no two domains wait for each other.
//
// Whether an arm ends with its wait is known only when its functions have left their frames. An arm
// that begins may also do something at once, which takes no claim. So offers of arms stay at home
// until all arms have been started and the turn is over.
#include "domains/claim.h"

// ---- claims ----
// A holder lets it go soon, unless the system runs another thread instead.
static bool hold(fm__claim *c, uintptr_t as) {
  for (unsigned turn = 1;; turn++) {
    uintptr_t was = FM__UNCLAIMED;
    if (atomic_compare_exchange_weak(&c->word, &was, as))
      return true;
    if (was != FM__UNCLAIMED && was != FM__HELD_FOR_TWO)
      return false;
    if (turn % 64 == 0)
      fm__spin(fm__runtime_here());
  }
}

bool fm__claim_take(fm__claim *c, uintptr_t by) {
  return hold(c, by);
}

static bool hold_in_order(fm__claim *x, fm__claim *y, bool *x_is_gone) {
  fm__claim *first = x < y ? x : y;
  fm__claim *second = x < y ? y : x;
  *x_is_gone = first == x;
  if (!hold(first, FM__HELD_FOR_TWO))
    return false;
  *x_is_gone = second == x;
  if (hold(second, FM__HELD_FOR_TWO))
    return true;
  atomic_store(&first->word, FM__UNCLAIMED);
  return false;
}

static fm__matched
take_both(fm__claim *x, uintptr_t by_x, fm__claim *y, uintptr_t by_y) {
  bool x_is_gone;
  if (!hold_in_order(x, y, &x_is_gone))
    return x_is_gone ? FM__OFFER_VOID : FM__PARTNER_VOID;
  atomic_store(&x->word, by_x);
  atomic_store(&y->word, by_y);
  return FM__MATCHED;
}

fm__matched fm__claim_match(fm__offer *by, fm__claim *partner, uintptr_t as) {
  if (by && partner)
    return by->claim == partner
               ? FM__SAME_RACE
               : take_both(by->claim, (uintptr_t)by, partner, as);
  if (by)
    return fm__claim_take(by->claim, (uintptr_t)by) ? FM__MATCHED
                                                    : FM__OFFER_VOID;
  return !partner || fm__claim_take(partner, as) ? FM__MATCHED
                                                 : FM__PARTNER_VOID;
}

// ---- claims of races ----
fm__claim *fm__race_claim(fm_node *s) {
  fm__claim *c = fm__claim_of(s);
  if (c)
    return c;
  if (!(c = fm__alloc(sizeof *c)))
    fm__out_of_memory("race", "", sizeof *c);
  *c = (fm__claim){ .references = 1 };
  s->winner = (fm_node *)((uintptr_t)c | FM__HAS_CLAIM);
  return c;
}

static void release(fm__claim *c) {
  if (atomic_fetch_sub(&c->references, 1) == 1)
    fm__free(c);
}

void fm__claim_abandon(fm__claim *c) {
  if (!c)
    return;
  while (c->unsent) {
    fm__offer *o = c->unsent;
    c->unsent = o->next;
    o->kind->release(o);
  }
  release(c);
}

// ---- offers ----
static void join_race(fm__runtime *d, fm__offer *o) {
  fm_node *a = o->node;
  if (fm__winner(a->parent) || !fm__ends_with_its_wait(d, a))
    return;
  o->claim = fm__race_claim(a->parent);
  atomic_fetch_add(&o->claim->references, 1);
}

static void send(fm__runtime *d, fm__offer *o) {
  o->sent = true;
  o->kind->send(d, o);
}

static void send_arm(fm__runtime *d, fm__offer *o) {
  if (!o->node) { // withdrawn meanwhile
    o->kind->release(o);
    return;
  }
  join_race(d, o);
  send(d, o);
}

static void send_later(fm__runtime *d, fm__msg *m) {
  send_arm(d, (fm__offer *)(void *)((char *)m - offsetof(fm__offer, later)));
}

static void keep_for_start(fm__claim *c, fm__offer *o) {
  fm__offer **at = &c->unsent;
  while (*at)
    at = &(*at)->next;
  *at = o;
}

void fm__offer_begin(fm__runtime *d, fm__offer *o, const fm__offer_kind *kind) {
  fm_node *a = d->current;
  *o = (fm__offer){ .kind = kind, .node = a };
  o->claim = &o->own;
  if (!(a->word & FM__ARM) || fm__is_atomic(d)) {
    send(d, o);
  } else if (a->parent->word & FM__BODY || fm__winner(a->parent)) {
    o->later.fn = send_later;
    fm__inbox_post(d, &o->later);
  } else {
    keep_for_start(fm__race_claim(a->parent), o);
  }
}

void fm__offers_start(fm__runtime *d, fm_node *s) {
  fm__claim *c = fm__claim_of(s);
  while (c && c->unsent) {
    fm__offer *o = c->unsent;
    c->unsent = o->next;
    send_arm(d, o);
  }
}

bool fm__offer_void(fm__offer *o) {
  return fm__claim_take(o->claim, FM__AT_HOME) ||
         atomic_load(&o->claim->word) != (uintptr_t)o;
}

bool fm__offer_is_void(fm__offer *o) {
  uintptr_t word = atomic_load(&o->claim->word);
  return word != FM__UNCLAIMED && word != FM__HELD_FOR_TWO &&
         word != (uintptr_t)o;
}

void fm__offer_release(fm__offer *o) {
  if (o->claim && o->claim != &o->own)
    release(o->claim);
}
