// claim.h: claims and offers, see claim.c: what remote-sync.c, remote-await.c, park.c and race.c
// share of them.
#ifndef FM_CLAIM_H
#define FM_CLAIM_H

#include "fm.h"

// fm__claim.word, or the address of a fm__offer
enum { FM__UNCLAIMED, FM__HELD_FOR_TWO, FM__AT_HOME };

struct fm__claim {
  _Alignas(16) _Atomic uintptr_t word;
  _Atomic int references; // of a race's: the race's own, and of its offers
  // home's: offers of arms of a race that is still starting its arms
  fm__offer *unsent;
};

typedef struct fm__offer_kind {
  void (*send)(fm__runtime *d, fm__offer *o); // from home, which is d
  void (*release)(fm__offer *o); // it was withdrawn before it was sent
} fm__offer_kind;

struct fm__offer { // a part of what travels
  const fm__offer_kind *kind;
  fm__claim *claim; // own, or its race's; set before it is sent
  fm__claim own;
  fm_node *node;   // home's: who waits; NULL: no one does any more
  fm__offer *next; // home's: of claim->unsent
  fm__msg later;   // from home to home: the turn is over
  bool sent;       // home's
};

// the current activity waits for it
void fm__offer_begin(fm__runtime *d, fm__offer *o, const fm__offer_kind *kind);
// home: it is not to be done; false: it has been done, and the answer comes
bool fm__offer_void(fm__offer *o);
bool fm__offer_is_void(fm__offer *o); // away
void fm__offer_release(fm__offer *o); // with what it is a part of
// false: someone else has it, for good
bool fm__claim_take(fm__claim *c, uintptr_t by);

// An operation and its partner: NULL: no one else can end its wait, or it does not wait.
typedef enum {
  FM__MATCHED,
  FM__OFFER_VOID,
  FM__PARTNER_VOID,
  FM__SAME_RACE
} fm__matched;
fm__matched fm__claim_match(fm__offer *by, fm__claim *partner, uintptr_t as);

// ---- of races ----
fm__claim *fm__race_claim(fm_node *s); // made if there is none
#endif
