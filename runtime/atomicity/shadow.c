// shadow.c: the history of memory. For each granule of 8 bytes that the program's activities have
// touched there is a cell with two lists of records. Reads: for each activity, where it has read
// which bytes last, and their value. Writes: which activity has written which bytes last. The cells
// of 4 KB of memory are a page; a table of two levels leads to it. Bits in a page say where objects
// begin: blocks of malloc, frames.
//
// A record is of 64 bytes, a line of the cache, so memory that is swept costs ten to twenty times
// its size. The usual accesses change records in place (quick.h).
#include "atomicity/quick.h"

#include <string.h>

enum { MOST_READS = 12 }; // records of reads in a cell; the oldest are dropped

// 47 bits of an address: 17 in the first level, 18 in the second, 12 in the page.
enum { HIGH = 17, LOW = 18, PAGE_BITS = 12 };
static fm__page **tables[1 << HIGH];

static fm__page **slot_of(uintptr_t address, bool make) {
  size_t high = address >> (LOW + PAGE_BITS);
  if (high >= 1 << HIGH)
    return NULL;
  fm__page **t = tables[high];
  if (!t && !make)
    return NULL;
  if (!t)
    t = tables[high] = fm__ato_pages(sizeof(fm__page *) << LOW);
  return &t[address >> PAGE_BITS & ((1 << LOW) - 1)];
}

static fm__page *page_at(uintptr_t address) {
  fm__page **p = slot_of(address, false);
  return p ? *p : NULL;
}

static fm__page *page_made(uintptr_t address) {
  fm__page **p = slot_of(address, true);
  if (p && !*p)
    *p = fm__ato_pages(sizeof **p);
  return p ? *p : NULL;
}

// The pages that the thread has used last are remembered: pages are never given back.
static fm__page *page_near(fm__self *s, uintptr_t granule) {
  uintptr_t number = granule / FM__SHADOW_PAGE;
  size_t i = number % FM__NEAR_PAGES;
  if (fm__likely(s->near[i].number == number))
    return s->near[i].page;
  fm__page *p = page_at(granule);
  if (p && !p->skip) {
    s->near[i].number = number;
    s->near[i].page = p;
  }
  return p;
}

static size_t index_of(uintptr_t address) {
  return address % FM__SHADOW_PAGE / FM__GRANULE;
}

fm__cell *fm__shadow_find(uintptr_t granule) {
  fm__page *p = page_at(granule);
  return p && !p->skip ? &p->cells[index_of(granule)] : NULL;
}

// ---- records ----
static fm__free_list *free_records;

static void keep(fm__record *r, fm__actor *actor, fm__invocation *at) {
  r->actor = actor;
  r->at = at;
  actor->refs++;
  if (at)
    at->refs++;
}

fm__record *fm__record_copy(const fm__record *r) {
  fm__record *n = fm__ato_take(&free_records, sizeof *n);
  *n = *r;
  n->next = n->old = NULL;
  keep(n, r->actor, r->at);
  return n;
}

void fm__record_free(fm__record *r) {
  while (r) {
    fm__record *old = r->old;
    fm__actor_drop(r->actor);
    fm__invocation_drop(r->at);
    fm__ato_give(&free_records, r);
    r = old;
  }
}

static void free_list(fm__record **list) {
  while (*list) {
    fm__record *r = *list;
    *list = r->next;
    fm__record_free(r);
  }
}

static fm__record *
record_new(fm__self *s, unsigned mask, uintptr_t pc, unsigned flags) {
  fm__record *r = fm__ato_take(&free_records, sizeof *r);
  *r = (fm__record){
    .pc = pc,
    .turn = s->turn,
    .mask = (uint8_t)mask,
    .flags = (uint8_t)flags,
  };
  keep(r, s->actor, s->now);
  return r;
}

static void push(fm__record **list, fm__record *r) {
  r->next = *list;
  *list = r;
}

static uint64_t value_at(uintptr_t granule) {
  return *(volatile uint64_t *)
      granule; // aligned, so it is in the page of the access
}

// The same bytes as before, in a new turn or at another place: the record is used again.
static void renew(fm__self *s, fm__record *r, uintptr_t pc, unsigned flags) {
  fm__invocation *was = r->at;
  if (r->actor != s->actor) {
    fm__actor_drop(r->actor);
    r->actor = s->actor;
    r->actor->refs++;
  }
  r->pc = pc;
  r->turn = s->turn;
  r->flags = (uint8_t)flags;
  r->wrote = 0;
  if (was == s->now)
    return;
  r->at = s->now;
  if (r->at)
    r->at->refs++;
  fm__invocation_drop(was);
}

static fm__record *own_with(const fm__self *s, fm__record *r, unsigned mask) {
  while (r && (r->actor != s->actor || r->mask != mask))
    r = r->next;
  return r;
}

// ---- reads ----
// Takes the bytes out of the records of this activity's reads, and drops records that are empty or
// too old. Returns the last record that was emptied by this, or NULL.
static fm__record *unread(fm__self *s, fm__cell *c, unsigned mask) {
  bool more = s->more;
  fm__record *last = NULL;
  size_t n = 0;
  for (fm__record **p = &c->reads, *r; (r = *p);) {
    bool mine = r->actor == s->actor;
    uint8_t was = r->mask;
    if (mine)
      r->mask &= (uint8_t)~mask;
    if (r->mask && ++n < MOST_READS &&
        (mine || more || !fm__actor_ended(r->actor))) {
      p = &r->next;
      continue;
    }
    *p = r->next;
    r->mask = was;
    if (mine && !last)
      last = r;
    else
      fm__record_free(r);
  }
  return last;
}

// With more rules, the read before stays known if it was in an earlier turn.
static fm__record *older(fm__self *s, fm__record *last) {
  fm__record *old = last;
  if (last && last->turn == s->turn) {
    old = last->old;
    last->old = NULL;
    fm__record_free(last);
  } else if (last) {
    fm__record_free(last->old);
    last->old = NULL;
  }
  if (old && s->more)
    return old;
  fm__record_free(old);
  return NULL;
}

// Whether this turn has noted such an access already.
static bool covers(const fm__record *r, const fm__self *s, unsigned mask) {
  for (; r; r = r->next)
    if (r->turn == s->turn && r->actor == s->actor &&
        !(mask & ~(unsigned)r->mask))
      return true;
  return false;
}

static void note_read(
    fm__self *s, fm__cell *c, uintptr_t granule, unsigned mask, uintptr_t pc) {
  if (s->suspects)
    fm__rules_read_again(s, granule, mask);
  if (c->writes) {
    fm__gap_touch(s, c, mask);
    fm__rules_touch(s, c, granule, mask, pc);
  }
  fm__record *r = c->reads;
  if (r && fm__goes_on(s, r, pc) && !(r->mask & mask)) {
    fm__record_free(unread(s, c, mask));
    r->mask |= (uint8_t)mask;
    if (!(r->flags & FM__UNSURE))
      r->value = value_at(granule);
    return;
  }
  r = own_with(s, c->reads, mask);
  if (r && !s->more) {
    renew(s, r, pc, 0);
    r->value = value_at(granule);
    return;
  }
  fm__record *old = older(s, unread(s, c, mask));
  r = record_new(s, mask, pc, 0);
  r->value = value_at(granule);
  r->old = old;
  push(&c->reads, r);
  if (s->more) {
    size_t i = s->recents++ % FM__RECENT;
    s->recent[i].by = s->actor;
    s->recent[i].granule = granule;
  }
}

void fm__shadow_read(fm__self *s,
                     uintptr_t granule,
                     unsigned mask,
                     uintptr_t pc) {
  fm__page *p = page_near(s, granule);
  fm__cell *c = p ? &p->cells[index_of(granule)] : NULL;
  if (p && (p->skip || covers(c->reads, s, mask)))
    return;
  s->busy = true;
  fm__ato_lock();
  if (p || (p = page_made(granule)))
    note_read(s, &p->cells[index_of(granule)], granule, mask, pc);
  fm__ato_unlock();
  s->busy = false;
}

// ---- writes ----
static void unwrite(fm__cell *c, unsigned mask) {
  for (fm__record **p = &c->writes, *r; (r = *p);) {
    r->mask &= (uint8_t)~mask;
    if (r->mask) {
      p = &r->next;
      continue;
    }
    *p = r->next;
    fm__record_free(r);
  }
}

// A read of this turn stays, as knowledge of what is written now; its value is taken before the
// next write of another activity. Reads of earlier turns are over.
static void note_own_reads(fm__self *s, fm__cell *c, unsigned mask) {
  for (fm__record **p = &c->reads, *r; (r = *p);) {
    bool mine = r->actor == s->actor && r->mask & mask;
    if (mine && r->turn == s->turn) {
      r->wrote |= (uint8_t)(r->mask & mask);
      r->flags |= FM__UNSURE;
    } else if (mine)
      r->mask &= (uint8_t)~mask;
    if (r->mask) {
      p = &r->next;
      continue;
    }
    *p = r->next;
    fm__record_free(r);
  }
}

static void settle_values(const fm__self *s, fm__cell *c, uintptr_t granule) {
  for (fm__record *r = c->reads; r; r = r->next)
    if (r->flags & FM__UNSURE && r->actor != s->actor) {
      r->value = value_at(granule);
      r->flags &= (uint8_t)~FM__UNSURE;
    }
}

// The activity that wrote these bytes last, if it is another one; 0: none.
static uint64_t
written_by(const fm__self *s, const fm__cell *c, unsigned mask) {
  for (const fm__record *w = c->writes; w; w = w->next)
    if (w->mask & mask && w->actor != s->actor)
      return w->actor->generation;
  return 0;
}

static void note_write(fm__self *s,
                       fm__cell *c,
                       uintptr_t granule,
                       unsigned mask,
                       uintptr_t pc,
                       unsigned flags) {
  // What this turn has read is known: the read was looked at.
  bool known = !s->more && covers(c->reads, s, mask);
  if (c->writes && !known) {
    fm__gap_touch(s, c, mask);
    fm__rules_touch(s, c, granule, mask, pc);
  }
  if (c->reads && !known)
    fm__rules_write(s, c, granule, mask, pc, flags);
  if (c->reads) {
    settle_values(s, c, granule);
    note_own_reads(s, c, mask);
  }
  fm__record *w = c->writes;
  uint64_t over = written_by(s, c, mask);
  if (w && !flags && w->over == over && fm__goes_on(s, w, pc) &&
      !(w->mask & mask)) {
    unwrite(c, mask);
    w->mask |= (uint8_t)mask;
    return;
  }
  while (w && w->mask != mask)
    w = w->next;
  if (w) {
    renew(s, w, pc, flags);
    w->over = over;
    return;
  }
  unwrite(c, mask);
  w = record_new(s, mask, pc, flags);
  w->over = over;
  push(&c->writes, w);
}

void fm__shadow_write(fm__self *s,
                      uintptr_t granule,
                      unsigned mask,
                      uintptr_t pc,
                      unsigned flags) {
  fm__page *p = page_near(s, granule);
  if (p && p->skip)
    return;
  s->busy = true;
  fm__ato_lock();
  if (p || (p = page_made(granule)))
    note_write(s, &p->cells[index_of(granule)], granule, mask, pc, flags);
  fm__ato_unlock();
  s->busy = false;
}

// ---- memory that begins and ends ----
static void set_bit(uint64_t *bits, size_t i, bool on) {
  uint64_t bit = (uint64_t)1 << i % 64;
  bits[i / 64] = on ? bits[i / 64] | bit : bits[i / 64] & ~bit;
}

static bool has_bit(const uint64_t *bits, size_t i) {
  return bits[i / 64] >> i % 64 & 1;
}

void fm__shadow_forget(uintptr_t low, size_t bytes) {
  uintptr_t at = low & ~(uintptr_t)(FM__GRANULE - 1);
  uintptr_t end = low + bytes;
  while (at < end) {
    fm__page *p = page_at(at);
    if (!p) {
      at = (at | (FM__SHADOW_PAGE - 1)) + 1;
      continue;
    }
    size_t i = index_of(at);
    free_list(&p->cells[i].reads);
    free_list(&p->cells[i].writes);
    set_bit(p->starts, i, false);
    at += FM__GRANULE;
  }
}

static void mark_start(uintptr_t granule, bool frame) {
  fm__page *p = page_made(granule);
  if (!p)
    return;
  set_bit(p->starts, index_of(granule), true);
  set_bit(p->frames, index_of(granule), frame);
}

void fm__shadow_new(uintptr_t low, size_t bytes, bool frame) {
  fm__shadow_forget(low, bytes);
  mark_start(low, frame);
  mark_start(low + (bytes + FM__GRANULE - 1) / FM__GRANULE * FM__GRANULE,
             false);
}

void fm__shadow_skip(uintptr_t low, size_t bytes) {
  for (uintptr_t at = low; at < low + bytes; at += FM__SHADOW_PAGE) {
    fm__page *p = page_made(at);
    if (p)
      p->skip = true;
  }
}

static bool begins_at(uintptr_t granule, bool *frame) {
  fm__page *p = page_at(granule);
  if (!p || !has_bit(p->starts, index_of(granule)))
    return false;
  *frame = has_bit(p->frames, index_of(granule));
  return true;
}

fm__extent fm__shadow_object(uintptr_t granule) {
  fm__extent e = { granule, granule + FM__GRANULE, false };
  bool other;
  for (int i = 0; i < FM__NEAR && !begins_at(e.low, &e.frame); i++)
    e.low -= FM__GRANULE;
  for (int i = 0; i < FM__NEAR && !begins_at(e.high, &other); i++)
    e.high += FM__GRANULE;
  return e;
}
