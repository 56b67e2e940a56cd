// rules.c: which histories are mistakes. A is the activity that makes an access now, B another one.
//
//     lost update   A has read X, then B has changed X, and now A writes X without having read it
//                   again in this turn.
//     torn          A has read X, then B has written X and Y of the same object in one turn, and
//                   now A touches Y, and has not read X again by the end of its turn.
//     stale         The same where B has freed the object.
//
// With more rules: torn also where X and Y are in different objects; a *stale check*, where A has
// read X, B has changed it, and A reads it again only to write it in the same line; *half done*,
// where A writes Y after X of the same object and B has read both in one turn between.
//
// In all of them the value of X is not what it was, the first place stands before the second one in
// the innermost function that both belong to and that still runs, and A has not waited for B's end.
// A loop that comes round to its first lines is no mistake for that reason. A second look at
// something before a decision is none either, because it is a read.
#include "atomicity/atomicity.h"

#include <string.h>

// ---- the innermost common function ----
// The place of a history in one of its functions.
typedef struct Path {
  fm__invocation *at;
  uintptr_t pc;
  uintptr_t below; // the place in the function that is called there; 0: none is
} Path;

static void go_up(Path *p) {
  p->below = p->pc;
  p->pc = p->at->call;
  p->at = p->at->up;
}

static Path path_of(const fm__record *r) {
  return (Path){ r->at, r->pc, 0 };
}

static bool same_function(uintptr_t x, uintptr_t y) {
  fm__code_place p = *fm__place_at(x);
  const fm__code_place *q = fm__place_at(y);
  return p.function && q->function && p.length == q->length &&
         strncmp(p.function, q->function, p.length) == 0;
}

// Two calls of one function in one line: a loop has come round.
static bool comes_round(const Path *first, const Path *second) {
  return first->below && second->below &&
         same_function(first->below, second->below);
}

// Whether `first` stands before `second` in the innermost common invocation, which still runs.
static bool is_before(Path first, Path second) {
  while (first.at != second.at) {
    if (!first.at || !second.at)
      return false;
    if (first.at->depth >= second.at->depth)
      go_up(&first);
    else
      go_up(&second);
  }
  if (!first.at || !first.at->live)
    return false;
  unsigned line = fm__place_at(first.pc)->line;
  unsigned other = fm__place_at(second.pc)->line;
  if (!line || !other)
    return true;
  return line < other || (line == other && !comes_round(&first, &second));
}

static bool is_library(uintptr_t pc) {
  return fm__place_at(pc)->library;
}

static bool same_place(uintptr_t x, uintptr_t y) {
  unsigned line = fm__place_at(x)->line;
  return x == y || (line && line == fm__place_at(y)->line);
}

// ---- what others have done ----
static uint64_t bytes_of(unsigned mask) {
  uint64_t bytes = 0;
  for (unsigned i = 0; i < FM__GRANULE; i++)
    if (mask & 1u << i)
      bytes |= (uint64_t)0xff << 8 * i;
  return bytes;
}

static bool has_changed(const fm__record *r, uintptr_t granule, unsigned mask) {
  uint64_t now = *(volatile uint64_t *)granule;
  return !(r->flags & FM__UNSURE) && ((now ^ r->value) & bytes_of(mask)) != 0;
}

// Activities of other domains run in other threads: ThreadSanitizer is for them.
bool fm__is_foreign(const fm__self *s, const fm__record *w) {
  return w->actor != s->actor && w->actor->domain == s->actor->domain &&
         !fm__actor_joined(w->actor, s->actor);
}

static fm__record *
foreign_write(const fm__self *s, fm__cell *c, unsigned mask, uint64_t after) {
  for (fm__record *w = c->writes; w; w = w->next)
    if (w->mask & mask && w->turn > after && fm__is_foreign(s, w))
      return w;
  return NULL;
}

// ---- reports ----
static size_t low_byte(unsigned mask) {
  return (size_t)__builtin_ctz(mask);
}

static size_t bytes_in(unsigned mask) {
  return (size_t)__builtin_popcount(mask);
}

static void report(fm__self *s, const fm__suspect *p, bool writes) {
  fm__finding f = {
    .rule = (fm__rule)p->rule,
    .x = p->x + low_byte(p->x_mask),
    .x_size = bytes_in(p->x_mask),
    .y = p->y ? p->y + low_byte(p->y_mask) : 0,
    .y_size = p->y ? bytes_in(p->y_mask) : 0,
    .read = p->read,
    .write = p->write,
    .pc = p->pc,
    .at = p->at,
    .actor = s->actor,
    .writes = writes,
  };
  fm__warn(&f);
}

static void free_suspect(fm__suspect *p) {
  fm__record_free(p->read);
  fm__record_free(p->write);
  fm__invocation_drop(p->at);
}

void fm__rules_read_again(fm__self *s, uintptr_t granule, unsigned mask) {
  for (size_t i = 0; i < s->suspects;) {
    fm__suspect *p = &s->suspect[i];
    if (p->x != granule || !(p->x_mask & mask)) {
      i++;
      continue;
    }
    free_suspect(p);
    *p = s->suspect[--s->suspects];
  }
  s->pending = s->suspects;
}

void fm__rules_turn_ends(fm__self *s) {
  while (s->suspects) {
    fm__suspect *p = &s->suspect[s->suspects - 1];
    report(s, p, false);
    free_suspect(p);
    s->suspects--;
  }
  s->pending = false;
}

static void suspect(fm__self *s, fm__suspect p) {
  if (s->suspects == FM__PENDING)
    return;
  p.read = fm__record_copy(p.read);
  p.write = fm__record_copy(p.write);
  if (p.at)
    p.at->refs++;
  s->suspect[s->suspects++] = p;
  s->pending = true;
}

// ---- lost update ----
static bool is_lost(fm__self *s,
                    const fm__record *r,
                    const fm__record *w,
                    uintptr_t granule,
                    uintptr_t pc) {
  unsigned mask = r->mask & w->mask;
  if (!(w->flags & FM__FREED) && !has_changed(r, granule, mask))
    return false;
  return is_before(path_of(r), (Path){ s->now, pc, 0 }) && !is_library(r->pc) &&
         !is_library(w->pc) && !is_library(pc);
}

static void check_lost(fm__self *s,
                       fm__cell *c,
                       fm__record *r,
                       uintptr_t granule,
                       unsigned mask,
                       uintptr_t pc) {
  fm__record *w = foreign_write(s, c, mask & r->mask, r->turn);
  if (!w || !is_lost(s, r, w, granule, pc))
    return;
  fm__suspect p = {
    .x = granule,
    .x_mask = r->mask & w->mask & mask,
    .read = r,
    .write = w,
    .pc = pc,
    .at = s->now,
    .rule = w->flags & FM__FREED ? FM__STALE : FM__LOST_UPDATE,
  };
  const bool writes = true;
  report(s, &p, writes);
}

// r is of this turn, in the line of the write; the read before it was a check.
static void check_stale(
    fm__self *s, fm__cell *c, fm__record *r, uintptr_t granule, uintptr_t pc) {
  fm__record *old = r->old;
  if (!old || r->turn != s->turn || r->wrote || !same_place(r->pc, pc))
    return;
  fm__record *w = foreign_write(s, c, r->mask & old->mask, old->turn);
  if (!w || same_place(old->pc, pc) || !is_lost(s, old, w, granule, pc))
    return;
  fm__suspect p = {
    .x = granule,
    .x_mask = r->mask,
    .read = old,
    .write = w,
    .pc = pc,
    .at = s->now,
    .rule = FM__STALE_CHECK,
  };
  const bool writes = true;
  report(s, &p, writes);
}

// ---- half done ----
typedef struct Part {
  uintptr_t granule;
  unsigned mask;
} Part;

// A read in the turn of the read r.
static fm__record *read_with(fm__cell *c, const fm__record *r, unsigned mask) {
  for (fm__record *x = c->reads; x; x = x->next)
    if (x->actor == r->actor && x->turn == r->turn && x->mask & mask)
      return x;
  return NULL;
}

static bool is_half(fm__self *s, const fm__record *w, uintptr_t pc) {
  return !same_place(w->pc, pc) &&
         is_before(path_of(w), (Path){ s->now, pc, 0 }) && !is_library(w->pc) &&
         !is_library(pc);
}

// A has written X before the foreign read r of Y, and B has read X as well.
static bool check_half(
    fm__self *s, fm__record *r, const Part *y, uintptr_t x, uintptr_t pc) {
  fm__cell *c = fm__shadow_find(x);
  for (fm__record *w = c ? c->writes : NULL; w; w = w->next) {
    bool mine = w->actor == s->actor && w->turn < r->turn;
    bool apart = x != y->granule || !(w->mask & y->mask);
    fm__record *rx = mine && apart ? read_with(c, r, w->mask) : NULL;
    if (!rx || is_library(rx->pc) || !is_half(s, w, pc))
      continue;
    fm__suspect p = {
      .x = x,
      .x_mask = w->mask,
      .y = y->granule,
      .y_mask = y->mask,
      .read = w,
      .write = rx,
      .pc = pc,
      .at = s->now,
      .rule = FM__HALF_DONE,
    };
    const bool writes = true;
    report(s, &p, writes);
    return true;
  }
  return false;
}

static void check_seen(
    fm__self *s, fm__cell *c, uintptr_t granule, unsigned mask, uintptr_t pc) {
  for (fm__record *r = c->reads; r; r = r->next) {
    if (!fm__is_foreign(s, r) || !(r->mask & mask))
      continue;
    Part y = { granule, r->mask & mask };
    fm__extent e = fm__object_around(granule + low_byte(y.mask));
    for (uintptr_t x = e.low; x < e.high && !e.frame; x += FM__GRANULE)
      if (check_half(s, r, &y, x, pc))
        return;
  }
}

void fm__rules_write(fm__self *s,
                     fm__cell *c,
                     uintptr_t granule,
                     unsigned mask,
                     uintptr_t pc,
                     unsigned flags) {
  bool more = s->more;
  for (fm__record *r = c->reads; r; r = r->next) {
    if (r->actor != s->actor || !(r->mask & mask))
      continue;
    // What a free ends matters only if it was counted: read and written in one turn.
    bool wrote = r->wrote & r->mask & mask;
    bool counts = flags & FM__FREED ? wrote : !wrote;
    if (counts && r->turn != s->turn)
      check_lost(s, c, r, granule, mask, pc);
    if (more && !(flags & FM__FREED))
      check_stale(s, c, r, granule, pc);
  }
  if (more && !(flags & FM__FREED))
    check_seen(s, c, granule, mask, pc);
}

// ---- torn, stale ----
// The write of X in the turn of the write w of Y.
static fm__record *write_with(fm__cell *c, const fm__record *w, unsigned mask) {
  for (fm__record *x = c->writes; x; x = x->next)
    if (x->actor == w->actor && x->turn == w->turn && x->mask & mask)
      return x;
  return NULL;
}

typedef struct Touch {
  uintptr_t granule; // Y
  unsigned mask;
  uintptr_t pc;
  fm__record *write; // of Y
  fm__extent object; // of Y
  bool far;          // X is in another object
} Touch;

static bool is_related(const Touch *t, const fm__record *r, uintptr_t x) {
  if (x == t->granule && r->mask & t->mask)
    return false;
  bool inside =
      x >= t->object.low && x < t->object.high &&
      fm__same_variable(x + low_byte(r->mask), t->granule + low_byte(t->mask));
  return t->far ? !inside : inside;
}

// The function that has read X has ended, and has changed the object in the same turn: what it knew
// of X was for that change.
static bool is_used_up(const Touch *t, const fm__record *r) {
  if (!r->at || r->at->live)
    return false;
  for (uintptr_t x = t->object.low; x < t->object.high; x += FM__GRANULE) {
    const fm__cell *c = fm__shadow_find(x);
    for (const fm__record *o = c ? c->reads : NULL; o; o = o->next)
      if (o->wrote && o->actor == r->actor && o->turn == r->turn &&
          o->at == r->at)
        return true;
  }
  return false;
}

static bool is_torn(fm__self *s,
                    const Touch *t,
                    fm__record *r,
                    uintptr_t x,
                    const fm__record *wx) {
  Path now = { s->now, t->pc, 0 };
  if (t->write->flags & FM__FREED)
    return is_before(path_of(r), now);
  return !(r->wrote & wx->mask) && is_related(t, r, x) &&
         has_changed(r, x, r->mask & wx->mask) && !same_place(r->pc, t->pc) &&
         is_before(path_of(r), now) && !is_used_up(t, r);
}

static bool check_pair(fm__self *s, const Touch *t, uintptr_t x) {
  fm__cell *c = fm__shadow_find(x);
  if (!c || !c->reads || !c->writes)
    return false;
  for (fm__record *r = c->reads; r; r = r->next) {
    fm__record *wx = r->actor == s->actor && r->turn < t->write->turn
                         ? write_with(c, t->write, r->mask)
                         : NULL;
    if (!wx || !is_torn(s, t, r, x, wx) || is_library(r->pc) ||
        is_library(wx->pc) || is_library(t->write->pc) || is_library(t->pc))
      continue;
    bool freed = t->write->flags & FM__FREED;
    fm__suspect p = {
      .x = x,
      .x_mask = r->mask & wx->mask,
      .y = t->granule,
      .y_mask = t->mask,
      .read = r,
      .write = freed ? t->write : wx,
      .pc = t->pc,
      .at = s->now,
      .rule = freed ? FM__STALE : FM__TORN,
    };
    if (freed)
      report(s, &p, false);
    else
      suspect(s, p);
    return true;
  }
  return false;
}

// Whether A has seen the write before.
static bool
is_known(const fm__self *s, fm__cell *c, const fm__record *w, unsigned mask) {
  for (fm__record *r = c->reads; r; r = r->next)
    if (r->actor == s->actor && r->turn > w->turn &&
        !(mask & w->mask & ~(unsigned)r->mask))
      return true;
  return false;
}

// With more rules: X anywhere. What is freed is found without them.
static bool check_far(fm__self *s, Touch *t) {
  t->far = true;
  if (t->write->flags & FM__FREED)
    return false;
  for (size_t i = 0; i < FM__RECENT && i < s->recents; i++)
    if (s->recent[i].by == s->actor && check_pair(s, t, s->recent[i].granule))
      return true;
  return false;
}

static bool check_near(fm__self *s, const Touch *t) {
  for (uintptr_t x = t->object.low; x < t->object.high; x += FM__GRANULE)
    if (check_pair(s, t, x))
      return true;
  return false;
}

void fm__rules_touch(
    fm__self *s, fm__cell *c, uintptr_t granule, unsigned mask, uintptr_t pc) {
  bool more = s->more;
  for (fm__record *w = c->writes; w; w = w->next) {
    if (!(w->mask & mask) || w->actor == s->actor || is_known(s, c, w, mask) ||
        !fm__is_foreign(s, w))
      continue;
    Touch t = {
      .granule = granule, .mask = mask & w->mask, .pc = pc, .write = w
    };
    t.object = fm__object_around(granule + low_byte(t.mask));
    if ((!t.object.frame && check_near(s, &t)) || (more && check_far(s, &t)))
      return;
  }
}
