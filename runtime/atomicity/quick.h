// quick.h: the usual case of an access, inline in the functions that instrumented code calls. An
// invocation reads or writes what it has read or written before, and knows of all that others have
// written there: no rule can apply. The latest record is brought up to date; nothing else is done.
// These return false where the access needs a closer look (shadow.c).
//
// They need no lock while only one domain has had turns. Other threads change only cells of memory
// that they allocate; the activity would not use that at the same time.
//
// A record may be larger than the access, where a loop has gone over its bytes before: all of it
// goes on to this turn. Nobody else has changed or, before a write, read the other bytes since, so
// no rule can tell the difference.
#ifndef FM_ATOMICITY_QUICK_H
#define FM_ATOMICITY_QUICK_H

#include "atomicity/atomicity.h"

#define FM__QUICK static inline __attribute__((always_inline))

// Whether the page of the address was used not long ago, and nothing special is going on.
FM__QUICK bool fm__quick_is_near(const fm__self *s, uintptr_t at) {
  uintptr_t number = at / FM__SHADOW_PAGE;
  return fm__likely(s->near[number % FM__NEAR_PAGES].number == number &&
                    !s->special);
}

FM__QUICK fm__cell *fm__quick_cell(const fm__self *s, uintptr_t at) {
  fm__page *p = s->near[at / FM__SHADOW_PAGE % FM__NEAR_PAGES].page;
  return &p->cells[at % FM__SHADOW_PAGE / FM__GRANULE];
}

// Whether r is of this invocation, and has all these bytes. If it has more of them, by the same
// code.
FM__QUICK bool fm__quick_is_own(const fm__self *s,
                                const fm__record *r,
                                unsigned mask,
                                uintptr_t pc) {
  return r->at == s->now && r->actor == s->actor &&
         (r->mask == mask || (!(mask & ~(unsigned)r->mask) && r->pc == pc));
}

// Whether r is of this turn, invocation and line: a loop goes over bytes. They become one record.
FM__QUICK bool
fm__goes_on(const fm__self *s, const fm__record *r, uintptr_t pc) {
  return r->turn == s->turn && r->pc == pc && r->at == s->now &&
         r->actor == s->actor && !(r->flags & FM__FREED);
}

// The access can be noted in r, which is such a record; the others stay as they are.
FM__QUICK fm__record *fm__quick_own(const fm__self *s,
                                    fm__record *first,
                                    unsigned mask,
                                    uintptr_t pc) {
  if (!first)
    return NULL;
  if (fm__likely(fm__quick_is_own(s, first, mask, pc)))
    return first;
  if (fm__goes_on(s, first, pc))
    return NULL;
  fm__record *r = first->next;
  while (r && !fm__quick_is_own(s, r, mask, pc))
    r = r->next;
  return r;
}

// Whether others have written nothing since the read.
FM__QUICK bool
fm__quick_latest(const fm__self *s, const fm__record *r, const fm__record *w) {
  if (fm__likely(!w || (w->actor == s->actor && !w->next)))
    return true;
  while (w &&
         (w->actor == r->actor || w->turn < r->turn || !(w->mask & r->mask)))
    w = w->next;
  return !w;
}

FM__QUICK bool fm__quick_read(const fm__self *s,
                              const fm__cell *c,
                              unsigned mask,
                              uintptr_t pc) {
  fm__record *r = fm__quick_own(s, c->reads, mask, pc);
  if (!r)
    return false;
  if (r->turn == s->turn)
    return true;
  if (!fm__quick_latest(s, r, c->writes))
    return false;
  r->pc = pc;
  r->turn = s->turn;
  r->flags = FM__UNSURE;
  r->wrote &= (uint8_t)~mask;
  return true;
}

// Reads of this turn become knowledge of what is written, as in note_own_reads.
FM__QUICK bool
fm__quick_known(const fm__self *s, fm__record *r, unsigned mask) {
  for (; r; r = r->next) {
    unsigned both = r->mask & mask;
    if (r->actor != s->actor || (both && r->turn != s->turn))
      return false;
    if (both) {
      r->wrote |= (uint8_t)both;
      r->flags = FM__UNSURE;
    }
  }
  return true;
}

// The masks of writes are disjoint, so others have written other bytes.
FM__QUICK bool fm__quick_write(const fm__self *s,
                               const fm__cell *c,
                               unsigned mask,
                               uintptr_t pc) {
  fm__record *w = fm__quick_own(s, c->writes, mask, pc);
  if (!w || w->flags || !fm__quick_known(s, c->reads, mask))
    return false;
  w->pc = pc;
  w->turn = s->turn;
  return true;
}

#endif
