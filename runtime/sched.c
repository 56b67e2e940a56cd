// sched.c: the scheduler: the ready queue, and what happens when an activity goes on, pauses and ends.
//
// An activity runs in a *turn*: its leaf frame is resumed, then the parents one by one as each call ends, until something
// pauses. The one who pauses has by then put the activity where it will be found again (a ring of waiters, say) and said
// why in c->guard, which tells the functions on the way out and then the loop:
//
//     fm__reason   the loop then …
//     GOING        hands the ended call's result to its caller, or ends the activity
//     YIELDS       puts it at the end of the queue, and takes the next one
//     PAUSED       takes the next one that is ready
//     SPILLED      goes on with the same activity: the stack was low, and now it is empty
//     FAILED       reports d->failure with the backtrace, which is complete only now
//
// When an activity has ended, its result stays in its first frame. frame->spare counts who will still read it: the
// activities that awaited it, and the node itself while tasks are held.
#include "fm.h"

// ---- the ring of children ----
// Only of use once the ring is sorted.
static inline bool has_live_child(const fm_node *p) {
  return p->child && !(p->child->prev->word & FM__ENDED);
}

static void ring_to_front(fm_node *a) {
  fm_node *p = a->parent;
  if (p->child == a)
    return;
  fm__ring_remove(a);
  fm__ring_add(p, a);
  p->child = a;
}

bool fm__sort_children(fm_node *p) {
  fm_node *a = p->child, *last = a ? a->prev : NULL, *next;
  for (; a; a = a == last ? NULL : next) {
    next = a->next;
    if (a->word & FM__ENDED)
      ring_to_front(a);
  }
  return has_live_child(p);
}

void fm__ready(fm__domain *d, fm_node *a) {
  fm__push(fm__set_of(d, a), a);
  fm__tick_check(d);
}

// ---- the end of an activity ----
// Wakes them in the order they came; returns how many will read the result.
static uint32_t wake_waiters(fm__domain *d, fm_node *a) {
  fm_node *last = fm__last_waiter(a), *w, *next = last->link;
  uint32_t readers = 0;
  a->waiters = 0;
  do {
    w = next;
    next = w->link;
    bool reads = fm__kind(w) == FM__WAWAIT;
    w->waits = reads ? (uintptr_t)a->leaf | FM__WRESULT : 0;
    readers += reads;
    fm__push(fm__set_of(d, w), w);
  } while (w != last);
  fm__tick_check(d);
  return readers;
}

// The group counts its members in place of a pointer; the last one wakes the owner if that waits for them.
static void leave_group(fm__domain *d, fm_node *a) {
  fm_node *owner = a->parent;
  fm_share_group *g = fm__group(a);
  uintptr_t count = (uintptr_t)g->first - 1;
  g->first = (fm_node *)count;
  if (count == 0 && owner->waits == ((uintptr_t)g | FM__WGROUP)) {
    owner->waits = 0;
    fm__push(fm__set_of(d, owner), owner);
    fm__tick_check(d);
  }
}

static FM_COLD void finish_flags(fm__domain *d, fm_node *a) {
  if (a->word & FM__GROUPED)
    leave_group(d, a);
  if (a->word & FM__RUN)
    d->attention |= FM__STOP_LOOP;
  if (a->word & FM__CONTAINED) {
    fm__set_of(d, a)->live--;
    a->set = 0;
  }
}

// Tasks that no one awaited; all of them have ended. (Here their errors will be rethrown.)
void fm__drop_kept(fm__domain *d, fm_node *a) {
  while (a->child) {
    fm_node *kept = a->child;
    if (--kept->leaf->spare == 0)
      fm__frame_free(&d->c, kept->leaf);
    fm__release(d, kept);
  }
}

static inline void keep(fm_node *a) {
  a->word |= FM__ENDED;
  if (fm__unlikely(a->parent->word & FM__BODY))
    ring_to_front(a);
}

// a's body and its children have ended. That may end its parent, too.
static void finish(fm__domain *d, fm_node *a) {
  for (fm_node *p;; a = p) {
    fm_frame *root = a->leaf;
    p = a->parent;
    if (fm__unlikely(a->child))
      fm__drop_kept(d, a);
    uint32_t readers = a->waiters ? wake_waiters(d, a) : 0;
    if (fm__unlikely(a->word & FM__ANY))
      finish_flags(d, a);
    root->spare = readers + (a->handles != 0);
    if (a->handles) {
      keep(a);
    } else {
      if (!readers)
        fm__frame_free(&d->c, root);
      fm__release(d, a);
    }
    if (fm__likely(!(p->word & FM__BODY)) || has_live_child(p))
      return;
  }
}

static void end_body(fm__domain *d, fm_node *a, fm_frame *root) {
  a->leaf = root;
  if (fm__likely(!a->child) || !fm__sort_children(a)) {
    finish(d, a);
    return;
  }
  a->word |= FM__BODY;
  if (fm__in_atomic(d))
    fm__contain_children(d, a, NULL);
}

// ---- a turn ----
static FM_COLD void receive_more(fm__domain *d, fm_node *a) {
  fm_node *child = fm__what(a);
  if (fm__kind(a) == FM__WSPAWN) {
    d->spawned = (fm_task){ child, fm__generation(child) };
    d->c.result = &d->spawned;
  }
  a->waits = 0;
}

// c->done is NULL: who is given one frees it at once.
static inline void receive(fm__domain *d, fm_node *a) {
  if (fm__likely(!a->waits))
    return;
  fm_frame *f = fm__what(a);
  if (fm__likely(fm__kind(a) == FM__WAWAIT)) {
    fm_node *child = fm__what(a);
    f = child->leaf;
    fm__release(d, child);
  } else if (fm__unlikely(fm__kind(a) != FM__WRESULT)) {
    receive_more(d, a);
    return;
  }
  a->waits = 0;
  d->c.result = fm__result_of(f);
  if (--f->spare == 0)
    fm__hand_over(d, f);
}

void fm__receive(fm__domain *d, fm_node *a) {
  receive(d, a);
}

// Stores only what changes: stores are what a switch is made of.
static inline void restore_errno(int *err, const fm_node *a) {
  if (fm__unlikely(*err != a->err))
    *err = a->err;
}

static inline void save_errno(fm_node *a, const int *err) {
  if (fm__unlikely(a->err != *err))
    a->err = (int16_t)*err;
}

// Where the activity that has paused goes on. Between pauses c->top and c->leaf are NULL.
static inline void note_leaf(fm__domain *d, fm_node *a) {
  fm_frame *leaf = d->c.top;
  if (fm__unlikely(d->c.leaf)) {
    leaf = d->c.leaf;
    d->c.leaf = NULL;
  }
  d->c.top = NULL;
  if (fm__unlikely(a->leaf != leaf))
    a->leaf = leaf;
}

// The parent alone awaits a. Returns it if it goes on at once, with the result where it is: if no one else is ready and this
// is the domain's own loop. Otherwise it takes a when it goes on: then nodes are released in the order they were made.
static inline fm_node *end_awaited(fm__domain *d, fm_node *a, fm_frame *f, bool own_loop) {
  fm_node *w = a->parent;
  a->waiters = 0;
  if (own_loop && !d->base.head) {
    fm__to_idle(d, a);
    w->waits = 0;
    d->c.result = fm__result_of(f);
    fm__hand_over(d, f);
    return w;
  }
  f->spare = 1;
  a->leaf = f;
  a->word |= FM__ENDED;
  fm__ready(d, w);
  return NULL;
}

// Ends the first call of a; the common cases, in which a has no children and no flags, here. Returns who goes on at once.
static inline __attribute__((always_inline)) fm_node *end(fm__domain *d, fm_node *a, fm_frame *f, bool own_loop) {
  if (fm__unlikely(a->child || a->word & FM__ANY)) {
    end_body(d, a, f);
  } else if (a->waiters & FM__SOLE) {
    return end_awaited(d, a, f, own_loop);
  } else if (fm__unlikely(a->waiters || a->parent->word & FM__BODY)) {
    end_body(d, a, f);
  } else if (a->handles) {
    f->spare = 1;
    a->leaf = f;
    a->word |= FM__ENDED;
  } else {
    fm__frame_free(&d->c, f);
    fm__to_idle(d, a);
  }
  return NULL;
}

static inline void begin(fm__domain *d, fm_node *a, int *err) {
  d->current = a;
  restore_errno(err, a);
}

// Runs *a until it pauses, and tells why, or ends: GOING. *a is then the one that did so.
static inline __attribute__((always_inline)) unsigned turn(fm__domain *d, fm_node **a, bool own_loop, int *err, uintptr_t limit) {
  fm_frame *f = (*a)->leaf;
  unsigned why;
  begin(d, *a, err);
  receive(d, *a);
  fm__set_guard(d, limit);
  f->code->resume(&d->c, f);
  while (fm__unlikely(!(why = fm__reason(d)))) {
    if (fm__unlikely(f->parent)) {
      fm_frame *ended = f;
      (*a)->leaf = f = f->parent;
      d->c.result = fm__result_of(ended);
      fm__hand_over(d, ended);
    } else {
      if (!(*a = end(d, *a, f, own_loop)))
        return FM__GOING;
      begin(d, *a, err);
      f = (*a)->leaf;
    }
    f->code->resume(&d->c, f);
  }
  note_leaf(d, *a);
  save_errno(*a, err);
  return why;
}

unsigned fm__nested_turn(fm__domain *d, fm_node *a) {
  return turn(d, &a, false, d->err, d->rest);
}

// ---- the loop ----
static inline fm_node *pop(fm__set *s) {
  fm_node *a = s->head;
  if (fm__likely(a))
    fm__set_head(s, a == s->tail ? NULL : a->link);
  return a;
}

static uint64_t draw(fm__domain *d, uint64_t n) {
  d->random = d->random * 6364136223846793005u + 1442695040888963407u;
  return (d->random >> 33) % n;
}

// Among the first few: then the queue need not be walked to its end, and no one is passed over for ever.
static fm_node *pop_random(fm__domain *d, fm__set *s) {
  enum { FEW = 32 };
  fm_node *before, *a = s->head;
  uint64_t n = 1, k;
  for (; n < FEW && a != s->tail; a = a->link)
    n++;
  k = s->head->word & FM__FIRST ? 0 : draw(d, n);
  if (k == 0) {
    s->head->word &= ~(uint64_t)FM__FIRST;
    return pop(s);
  }
  for (before = s->head; k > 1; k--)
    before = before->link;
  a = before->link;
  if (a == s->tail)
    s->tail = before;
  else
    before->link = a->link;
  return a;
}

static void dump_if_wanted(fm__domain *d) {
  if (d->attention & FM__DUMP) {
    d->attention &= ~(unsigned)FM__DUMP;
    fm__dump(d, stderr);
  }
}

static FM_COLD fm_node *next_with_care(fm__domain *d, fm__set *s) {
  d->current = NULL;                              // nobody runs
  dump_if_wanted(d);
  return d->attention & FM__RANDOM && s->head ? pop_random(d, s) : pop(s);
}

static inline unsigned attention(fm__domain *d) {
  return __atomic_load_n((unsigned *)&d->attention, __ATOMIC_RELAXED);
}

static inline fm_node *next(fm__domain *d, fm__set *s) {
  return fm__unlikely(attention(d)) ? next_with_care(d, s) : pop(s);
}

fm_node *fm__next(fm__domain *d, fm__set *s) {
  return next(d, s);
}

// Into the front of the queue, behind those of the same cascade: who had to spill because the stack was low.
void fm__goes_first(fm__domain *d, fm_node *a) {
  fm__set *s = fm__set_of(d, a);
  fm_node *before = d->cascade;
  a->word |= FM__FIRST;
  if (!s->head || s->tail == before) {
    fm__push(s, a);
  } else if (before) {
    a->link = before->link;
    before->link = a;
  } else {
    a->link = s->head;
    fm__set_head(s, a);
  }
  d->cascade = a;
}

// True: the stack was low, and a goes on at once.
FM_COLD bool fm__spilled(fm__domain *d, fm_node *a) {
  if (fm__reason(d) == FM__FAILED)
    fm__fatal(d, d->failure);
  if (!d->cascade)
    return true;
  fm__goes_first(d, a);
  d->cascade = NULL;
  return false;
}

static inline void go(fm__domain *d, fm__set *s, fm_node *a) {
  unsigned how;
  do {
    how = fm__nested_turn(d, a);
    if (how == FM__YIELDS)
      fm__push(s, a);
  } while (fm__unlikely(how >= FM__SPILLED) && fm__spilled(d, a));
}

void fm__go(fm__domain *d, fm__set *s, fm_node *a) {
  go(d, s, a);
}

// a yields: to the end, and takes the next, in one step, since this is what a switch is.
static inline fm_node *rotate(fm__set *s, fm_node *a) {
  fm_node *first = s->head, *last = s->tail;
  if (fm__unlikely(!first))
    return a;
  last->link = a;
  s->tail = a;
  fm__set_head(s, first == last ? a : first->link);
  return first;
}

// Between turns the top set is the domain's own.
__attribute__((aligned(64))) void fm__loop(fm__domain *d) {
  fm__set *s = &d->base;
  int *err = d->err;
  uintptr_t limit = d->rest;
  while (!(attention(d) & FM__STOP_LOOP)) {
    fm_node *a = next(d, s);
    unsigned how;
    if (fm__unlikely(!a))
      fm__deadlock(d);
    while (fm__likely((how = turn(d, &a, true, err, limit)) == FM__YIELDS) && fm__likely(!attention(d)))
      a = rotate(s, a);
    if (fm__likely(how == FM__GOING || how == FM__PAUSED))
      continue;
    if (how == FM__YIELDS)
      fm__push(s, a);
    else if (fm__spilled(d, a))
      go(d, s, a);
  }
  d->attention &= ~(unsigned)FM__STOP_LOOP;
  d->current = NULL;
}

// ---- pauses ----
void fm__tail(fm_domain *c, fm_frame *f) {
  if (c->top)
    c->top->parent = f->parent;
  else
    c->top = f->parent;
  fm__frame_free(c, f);
}

// The guard is FM_STOP, and no one has paused: the tick, or someone who wants a dump. (Here the driver will be polled.)
int fm__slice(fm_domain *c) {
  fm__domain *d = fm__of(c);
  fm__set_guard(d, d->rest);
  dump_if_wanted(d);
  if (!fm__top(d)->head && d->rest == d->limit)
    return FM_GO;
  fm__yield(&d->c);
  return FM_YIELDED;
}

int fm__go_on(fm_domain *c) {
  fm__set_guard(fm__of(c), fm__of(c)->rest);
  return FM_GO;
}

// The end of a slice is left to the next automatic yield. But while guard is FM_STOP nothing tells whether the stack is
// low for a function with large locals as well: near the limit it spills, to be sure.
int fm__entry(fm_domain *c) {
  fm__domain *d = fm__of(c);
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (fm__guard(c) == FM_STOP && here > d->limit + d->margin)
    return FM_GO;
  fm__pause(d, FM__SPILLED);
  return FM_PAUSED;
}
