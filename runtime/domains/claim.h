// claim.h: claims and offers, as remote-sync.c, remote-await.c, park.c and race.c share them. See
// claim.c.
#ifndef FM_CLAIM_H
#define FM_CLAIM_H

#include "fm.h"

// Values of fm__claim.word; any other is the address of a fm__offer.
enum { FM__UNCLAIMED, FM__HELD_FOR_TWO, FM__AT_HOME };

struct fm__claim {
  _Alignas(16) _Atomic uintptr_t word;
  _Atomic int references; // of a race's claim: the race, and its offers
  // home's: offers of a race that is still starting its arms
  fm__offer *unsent;
};

typedef struct fm__offer_kind {
  void (*send)(fm__runtime *d, fm__offer *o); // from home, which is d
  void (*release)(fm__offer *o); // it was withdrawn before it was sent
} fm__offer_kind;

struct fm__offer { // a part of the object that travels
  const fm__offer_kind *kind;
  fm__claim *claim; // own, or its race's; set before it is sent
  fm__claim own;
  fm_node *node;   // home's: the activity that waits; NULL: none any more
  fm__offer *next; // home's: in claim->unsent
  fm__msg later;   // from home to home: the turn is over
  bool sent;       // home's
};

// The current activity waits for it.
void fm__offer_begin(fm__runtime *d, fm__offer *o, const fm__offer_kind *kind);
// At home: it is not to be done. false: it has been done, and the answer comes.
bool fm__offer_void(fm__offer *o);
bool fm__offer_is_void(fm__offer *o); // away
void fm__offer_release(fm__offer *o); // with the object that it is a part of
// false: it was taken by something else, for good.
bool fm__claim_take(fm__claim *c, uintptr_t by);

// How an operation meets its partner. `partner` NULL: nothing else can end its wait, or it does not
// wait.
typedef enum {
  FM__MATCHED,
  FM__OFFER_VOID,
  FM__PARTNER_VOID,
  FM__SAME_RACE
} fm__matched;
fm__matched fm__claim_match(fm__offer *by, fm__claim *partner, uintptr_t as);

// ---- claims of races ----
fm__claim *fm__race_claim(fm_node *s); // made if there is none
#endif
