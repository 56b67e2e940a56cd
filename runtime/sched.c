// sched.c: the scheduler: the ready queue, what happens when an activity pauses, goes on and ends, and the waits on other
// activities. All that is hot is in this file.
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
static inline void ring_add(fm_node *p, fm_node *a) {
  fm_node *first = p->child;
  a->parent = p;
  if (!first) {
    a->next = a->prev = p->child = a;
    return;
  }
  a->next = first;
  a->prev = first->prev;
  first->prev->next = a;
  first->prev = a;
}

static inline void ring_remove(fm_node *a) {
  fm_node *p = a->parent, *next = a->next;
  if (next == a) {
    p->child = NULL;
    return;
  }
  a->prev->next = next;
  next->prev = a->prev;
  if (p->child == a)
    p->child = next;
}

// Only of use once the ring is sorted.
static inline bool has_live_child(const fm_node *p) {
  return p->child && !(p->child->prev->word & FM__ENDED);
}

static void ring_to_front(fm_node *a) {
  fm_node *p = a->parent;
  if (p->child == a)
    return;
  ring_remove(a);
  ring_add(p, a);
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

// ---- making and releasing activities ----
static fm_node *other_parent(fm__domain *d, unsigned how, fm_activity in) {
  if (how & FM_SPAWN_DETACHED)
    return &d->host;
  if (!fm__fresh(in.node, in.generation) || in.node->word & FM__ENDED)
    fm__fatal(d, "spawn in an activity that has ended");
  return in.node;
}

// In an atomic: the top set for what is contained; the rest is delayed, and made ready in the domain's own set. What the
// end of a contained activity waits for is contained as well.
static fm__set *set_in_atomic(fm__domain *d, const fm_node *parent, unsigned how) {
  bool awaited = parent->word & FM__BODY && parent->set != &d->base;
  return how & (FM_SPAWN_NOW | FM_SPAWN_CONTAINED) || awaited ? fm__top(d) : &d->base;
}

fm_node *fm__make(fm__domain *d, fm_frame *root, unsigned how, fm_activity in) {
  fm_node *a = d->idle, *p = d->current ? d->current : &d->host;
  uint64_t word = ++d->serial << FM__FLAGS;
  fm__set *s = &d->base;
  if (fm__likely(a))
    d->idle = a->link;
  else
    a = fm__node_more(d);
  if (fm__unlikely(how & (FM_SPAWN_DETACHED | FM_SPAWN_IN)))
    p = other_parent(d, how, in);
  if (fm__unlikely(fm__in_atomic(d)) && (s = set_in_atomic(d, p, how)) == &d->base)
    word |= FM__DELAYED;
  ring_add(p, a);
  a->word = word;
  a->leaf = root;
  a->set = s;
  a->err = 0;
  a->handles = !(how & FM_SPAWN_DROP);
  s->live++;
  return a;
}

static inline void release(fm__domain *d, fm_node *a) {
  ring_remove(a);
  if (fm__unlikely(a->word & FM__NAMED))
    fm__name_drop(d, a);
  a->word = 0;
  a->link = d->idle;
  d->idle = a;
}

void fm__release(fm__domain *d, fm_node *a) {
  release(d, a);
}

static inline void *result_of(fm_frame *f) {
  return (char *)f + f->code->result;
}

// ---- the end of an activity ----
// Wakes them in the order they came; returns how many will read the result.
static uint32_t wake_waiters(fm__domain *d, fm_node *a) {
  fm_node *last = a->waiters, *w, *next = last->link;
  uint32_t readers = 0;
  a->waiters = NULL;
  do {
    w = next;
    next = w->link;
    bool reads = fm__kind(w) == FM__WAWAIT;
    w->waits = reads ? (uintptr_t)a->leaf | FM__WRESULT : 0;
    readers += reads;
    fm__push(w->set, w);
  } while (w != last);
  fm__tick_check(d);
  return readers;
}

// The group counts its members in place of a pointer; the last one wakes the owner if that waits for them.
static void leave_group(fm__domain *d, fm_node *a) {
  fm_node *owner = a->parent;
  fm_share_group *g = a->group;
  uintptr_t count = (uintptr_t)g->first - 1;
  a->group = NULL;
  g->first = (fm_node *)count;
  if (count == 0 && owner->waits == ((uintptr_t)g | FM__WGROUP)) {
    owner->waits = 0;
    fm__push(owner->set, owner);
    fm__tick_check(d);
  }
}

// Tasks that no one awaited; all of them have ended. (Here their errors will be rethrown.)
void fm__drop_kept(fm__domain *d, fm_node *a) {
  while (a->child) {
    fm_node *kept = a->child;
    if (--kept->leaf->spare == 0)
      fm__frame_drop(d, kept->leaf);
    release(d, kept);
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
    root->spare = a->waiters ? wake_waiters(d, a) : 0;
    if (fm__unlikely(a->group))
      leave_group(d, a);
    if (fm__unlikely(a->word & FM__RUN))
      d->attention |= FM__STOP_LOOP;
    a->set->live--;
    if (a->handles) {
      root->spare++;
      keep(a);
    } else {
      if (!root->spare)
        fm__frame_drop(d, root);
      release(d, a);
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

// Stores only what changes, here and in turn(): stores are what a switch is made of.
static inline void receive(fm__domain *d, fm_node *a) {
  if (d->c.done)
    d->c.done = NULL;
  if (!a->waits)
    return;
  if (fm__unlikely(fm__kind(a) != FM__WRESULT)) {
    receive_more(d, a);
    return;
  }
  fm_frame *f = fm__what(a);
  a->waits = 0;
  d->c.result = result_of(f);
  if (--f->spare == 0)
    d->c.done = f;
}

void fm__receive(fm__domain *d, fm_node *a) {
  receive(d, a);
}

static inline void set_int(int *to, int v) {
  if (*to != v)
    *to = v;
}

// Where the activity that has paused goes on. Between pauses c->top and c->leaf are NULL.
static inline void note_leaf(fm__domain *d, fm_node *a) {
  fm_frame *leaf = d->c.top;
  if (d->c.leaf) {
    leaf = d->c.leaf;
    d->c.leaf = NULL;
  }
  d->c.top = NULL;
  if (a->leaf != leaf)
    a->leaf = leaf;
}

static inline unsigned turn(fm__domain *d, fm_node *a) {
  fm_frame *f = a->leaf;
  unsigned why;
  d->current = a;
  set_int(d->err, a->err);
  receive(d, a);
  fm__set_guard(d, d->limit);
  for (;;) {
    f->code->resume(&d->c, f);
    if (fm__likely(why = fm__reason(d)))
      break;
    d->c.result = result_of(f);
    d->c.done = f;
    if (!f->parent) {
      end_body(d, a, f);
      return FM__GOING;
    }
    a->leaf = f = f->parent;
  }
  note_leaf(d, a);
  set_int(&a->err, *d->err);
  return why;
}

// ---- the loop ----
// Among the first few, so that the queue need not be long to be looked at and no one is passed over for ever.
static FM_COLD fm_node *pick_random(fm__domain *d, fm__set *s) {
  enum { FEW = 32 };
  fm_node *before = NULL, *a = s->head;
  uint64_t n = 1;
  if (a->word & FM__FIRST) {
    a->word &= ~(uint64_t)FM__FIRST;
    n = 0;
  }
  for (fm_node *more = a->link; n && n < FEW && more; more = more->link)
    n++;
  d->random = d->random * 6364136223846793005u + 1442695040888963407u;
  for (uint64_t k = n ? (d->random >> 33) % n : 0; k > 0; k--) {
    before = a;
    a = a->link;
  }
  if (!before) {
    __atomic_store_n(&s->head, a->link, __ATOMIC_RELAXED);
    return a;
  }
  before->link = a->link;
  if (s->tail == a)
    s->tail = before;
  return a;
}

static inline fm_node *pop(fm__set *s) {
  fm_node *a = s->head;
  if (fm__likely(a))
    __atomic_store_n(&s->head, a->link, __ATOMIC_RELAXED);
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
  return d->attention & FM__RANDOM && s->head ? pick_random(d, s) : pop(s);
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
static void goes_first(fm__domain *d, fm_node *a) {
  fm__set *s = a->set;
  fm_node **at = d->cascade ? &d->cascade->link : &s->head;
  a->word |= FM__FIRST;
  a->link = *at;
  __atomic_store_n(at, a, __ATOMIC_RELAXED);
  if (!a->link)
    s->tail = a;
  d->cascade = a;
}

// True: the stack was low, and a goes on at once.
static FM_COLD bool spilled(fm__domain *d, fm_node *a) {
  if (fm__reason(d) == FM__FAILED)
    fm__fatal(d, d->failure);
  if (!d->cascade)
    return true;
  goes_first(d, a);
  d->cascade = NULL;
  return false;
}

static inline void go(fm__domain *d, fm__set *s, fm_node *a) {
  unsigned how;
  do {
    how = turn(d, a);
    if (how == FM__YIELDS)
      fm__push(s, a);
  } while (fm__unlikely(how >= FM__SPILLED) && spilled(d, a));
}

void fm__go(fm__domain *d, fm__set *s, fm_node *a) {
  go(d, s, a);
}

// Between turns the top set is the domain's own.
void fm__loop(fm__domain *d) {
  while (!(attention(d) & FM__STOP_LOOP)) {
    fm_node *a = next(d, &d->base);
    if (fm__unlikely(!a))
      fm__deadlock(d);
    go(d, &d->base, a);
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
  fm__frame_drop(fm__of(c), f);
}

void fm__ready(fm__domain *d, fm_node *a) {
  fm__push(a->set, a);
  fm__tick_check(d);
}

// The guard is FM_STOP, and no one has paused: the tick, or someone who wants a dump. (Here the driver will be polled.)
int fm__slice(fm_domain *c) {
  fm__domain *d = fm__of(c);
  fm__set_guard(d, d->limit);
  dump_if_wanted(d);
  if (!fm__top(d)->head)
    return FM_GO;
  fm__yield(&d->c);
  return FM_YIELDED;
}

int fm__go_on(fm_domain *c) {
  fm__set_guard(fm__of(c), fm__of(c)->limit);
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

// ---- spawn ----
// The child could not run to its first pause on this stack. So the current activity spills as well, and the child, and
// what that started in the same way, go on before it.
static void spill_behind(fm__domain *d, fm_node *child) {
  goes_first(d, child);
  if (child->handles)
    d->current->waits = (uintptr_t)child | FM__WSPAWN;
  fm__pause(d, FM__SPILLED);
}

static void start_now(fm__domain *d, fm_node *a) {
  fm_node *me = d->current;
  bool over = fm__guard(&d->c) == FM_STOP, atomic = fm__is_atomic(d);
  unsigned how = FM__SPILLED;
  int err = *d->err;
  if (atomic || (uintptr_t)__builtin_frame_address(0) > d->limit)
    while ((how = turn(d, a)) == FM__SPILLED && atomic)
      ;
  if (how == FM__FAILED)
    fm__fatal(d, d->failure);
  if (how == FM__YIELDS)
    fm__push(a->set, a);
  d->current = me;
  *d->err = err;
  fm__set_guard(d, over ? FM_STOP : d->limit);
  if (how == FM__SPILLED)
    spill_behind(d, a);
}

static inline void start(fm__domain *d, fm_node *a, unsigned how) {
  if (fm__unlikely(how & FM_SPAWN_NOW) && d->current) {
    start_now(d, a);
    return;
  }
  fm__push(a->set, a);
  fm__tick_check(d);
}

fm_task fm__spawn(fm_domain *c, fm_frame *root, unsigned how, fm_activity in) {
  fm__domain *d = fm__of(c);
  fm_node *a = fm__make(d, root, how, in);
  fm_task t = { a, fm__generation(a) };
  start(d, a, how);
  return t;
}

void fm__activate(fm_domain *c, fm_frame *root, fm_share_group *g, fm_activity *id, unsigned how) {
  fm__domain *d = fm__of(c);
  fm_node *a = fm__make(d, root, how | FM_SPAWN_DROP, (fm_activity){ 0 });
  if (id)
    *id = (fm_activity){ a, fm__generation(a) };
  a->group = g;
  g->first = (fm_node *)((uintptr_t)g->first + 1);
  start(d, a, how);
}

// ---- waiting for activities ----
// A mistake of the program. Where it can, it unwinds first, since only then the backtrace has all the frames.
static void fail(fm__domain *d, const char *message) {
  if (!d->current || fm__is_atomic(d))
    fm__fatal(d, message);
  d->failure = message;
  fm__pause(d, FM__FAILED);
}

static inline void nothing_to_read(fm__domain *d) {
  d->c.result = NULL;
  d->c.done = NULL;
}

static inline void wait_for_end(fm__domain *d, fm_node *a, unsigned kind) {
  fm_node *me = d->current;
  if (a->waiters) {
    me->link = a->waiters->link;
    a->waiters->link = me;
  } else {
    me->link = me;
  }
  a->waiters = me;
  fm__pause_for(d, kind, a);
  if (fm__unlikely(fm__in_atomic(d)))
    fm__contain(d, a);
}

static inline void take(fm__domain *d, fm_node *a) {
  fm_frame *f = a->leaf;
  d->c.result = result_of(f);
  d->c.done = NULL;
  if (a->handles)
    return;
  release(d, a);
  if (--f->spare == 0)
    d->c.done = f;
}

void fm__take(fm__domain *d, fm_node *a) {
  take(d, a);
}

void *fm__await(fm_domain *c, fm_task t) {
  fm__domain *d = fm__of(c);
  fm_node *a = t.node;
  if (fm__unlikely(!fm__fresh(a, t.generation) || !a->handles)) {
    fail(d, "await of a task that was already awaited or given up");
    return NULL;
  }
  a->handles--;
  if (a->word & FM__ENDED) {
    take(d, a);
    return c->result;
  }
  wait_for_end(d, a, FM__WAWAIT);
  return NULL;
}

void fm__join(fm_domain *c, fm_activity t) {
  fm__domain *d = fm__of(c);
  nothing_to_read(d);
  if (fm__fresh(t.node, t.generation) && !(t.node->word & FM__ENDED))
    wait_for_end(d, t.node, FM__WJOIN);
}

void fm__join_group(fm_domain *c, fm_share_group *g) {
  fm__domain *d = fm__of(c);
  nothing_to_read(d);
  if (!g->first)
    return;
  if (fm__unlikely(fm__in_atomic(d)))
    fm__contain_children(d, d->current, g);
  fm__pause_for(d, FM__WGROUP, g);
}

// ---- handles ----
fm_activity fm__id(fm_task t) {
  return (fm_activity){ t.node, t.generation };
}

fm_task fm__share(fm_task t) {
  if (!fm__fresh(t.node, t.generation) || !t.node->handles)
    return (fm_task){ 0 };
  t.node->handles++;
  return t;
}

void fm__detach(fm_task t) {
  if (!fm__fresh(t.node, t.generation) || !t.node->handles)
    return;
  if (--t.node->handles || !(t.node->word & FM__ENDED))
    return;
  fm__domain *d = fm__of(fm__here());
  take(d, t.node);
  fm__done(&d->c);
  nothing_to_read(d);
}
