// activity.c: makes activities (spawn, activate), waits for them (await, join), and counts the
// handles that name them. sched.c runs them, end.c ends them. A hot function passes rare cases to
// another function with the same arguments, so that it saves no registers.
#include "fm.h"

// ---- making ----
static fm_node *other_parent(fm__runtime *d, unsigned how, fm_activity in) {
  if (how & FM_SPAWN_DETACHED)
    return &d->host;
  if (!fm_alive(in))
    fm__fatal(d, "spawn in an activity that has ended: ask fm_alive first");
  if (fm__is_remote(in))
    fm__fatal(d, "spawn in an activity of another domain: write `spawn on`");
  return in.node;
}

// In an atomic. An activity that is not contained is delayed: it becomes ready in the domain's own
// set. If the end of a contained activity, or of a scope, waits for this one, it is contained too.
static bool is_contained(fm_node *parent, unsigned how) {
  return how & (FM_SPAWN_NOW | FM_SPAWN_CONTAINED) ||
         (parent->word & FM__BODY && fm__owner(parent)->set != 0);
}

// Returns its generation.
static inline uint64_t
node_init(fm__runtime *d, fm_node *a, fm_node *parent, fm_frame *root) {
  uint64_t generation = ++d->serial;
  fm__ring_add(parent, a);
  a->word = generation << FM__FLAGS;
  a->leaf = root;
  return generation;
}

fm_node *fm__node_new(fm__runtime *d, fm_node *parent, fm_frame *root) {
  fm_node *a = d->idle;
  if (a)
    d->idle = a->link;
  else
    a = fm__node_more(d);
  node_init(d, a, parent, root);
  a->err = 0;
  return a;
}

// A child of a cancelled activity is cancelled too; a child of a paused one is paused. An atomic
// holds cancels of what is around it back: a child made inside, by whichever activity, gets that
// mark when the atomic ends.
FM_COLD void fm__inherit(fm__runtime *d, fm_node *a) {
  a->word |=
      a->parent->word & (fm__holds_back(d, a) ? FM__HELD : FM__INHERITED);
  a->waits = fm__arming(a);
}

fm_node *
fm__make(fm__runtime *d, fm_frame *root, unsigned how, fm_activity in) {
  fm_node *p = fm__innermost(d->current ? d->current : &d->host);
  fm_node *a;
  if (how & (FM_SPAWN_DETACHED | FM_SPAWN_IN))
    p = other_parent(d, how, in);
  a = fm__node_new(d, p, root);
  a->handles = !(how & FM_SPAWN_DROP);
  if (how & FM_SPAWN_ARM)
    a->word |= FM__ARM;
  if (FM__IS_LINKED(fm__locals_inherit) &&
      fm__unlikely((d->current ? d->current : &d->host)->word & FM__EXTRAS))
    fm__locals_inherit(d, a);
  if (fm__in_atomic(d) && is_contained(p, how))
    fm__add_to_set(d, a);
  else if (fm__in_atomic(d))
    a->word |= FM__DELAYED;
  if (fm__unlikely(p->word & FM__INHERITED))
    fm__inherit(d, a);
  return a;
}

// ---- spawn ----
// The child could not run to its first pause on this stack. The current activity spills as well.
// The child goes on before it, and so do activities that the child started in the same way.
static void spill_behind(fm__runtime *d, fm_node *child) {
  fm__goes_first(d, child);
  if (child->handles && !(child->word & FM__GROUPED))
    d->current->waits = (uintptr_t)child | FM__WSPAWN;
  else
    d->current->waits |= FM__HOLDS;
  fm__pause_current(d, FM__SPILLED);
}

static bool hurries(const fm_node *a) {
  return a->word & FM__ARM && a->parent->word & FM__HURRIES;
}

// Atomic code cannot spill, so the child goes on here. If an activity that the child started must
// go first, the child follows it. over: whether the slice is over, the current activity's as well.
static unsigned run_child(fm__runtime *d, fm_node *a, bool atomic, bool *over) {
  unsigned how;
  do {
    // the end of a slice meets no cancel, as in fm__requeue()
    while ((how = fm__nested_turn(d, a)) == FM__SLICED && hurries(a)) {
      a->waits |= FM__HOLDS;
      *over = true;
    }
    *over |= how == FM__SLICED;
    if (how < FM__SPILLED || (how == FM__SPILLED && !atomic))
      return how;
  } while (fm__spilled(d, a));
  return FM__PAUSED;
}

static void start_now(fm__runtime *d, fm_node *a) {
  FM__STACK_PAD(1024);
  fm_node *me = d->current;
  bool over = fm__guard(&d->c) == FM_STOP;
  bool atomic = fm__is_atomic(d);
  unsigned how = FM__SPILLED;
  int err = *d->err;
  if (atomic || (uintptr_t)__builtin_frame_address(0) > d->limit)
    how = run_child(d, a, atomic, &over);
  if (how == FM__YIELDS || how == FM__SLICED)
    fm__requeue(d, a, how);
  d->current = me;
  *d->err = err;
  fm__set_guard(d, over ? FM_STOP : d->rest);
  if (how == FM__SPILLED)
    spill_behind(d, a);
}

static FM_COLD void start_now_counted(fm__runtime *d, fm_node *a) {
  uint64_t generation = fm__generation(a);
  uint64_t before = fm__counts_turn(d, a);
  start_now(d, a);
  fm__counts_over(d, a, generation, before);
}

static FM_COLD void start_now_traced(fm__runtime *d, fm_node *a) {
  uint64_t generation = fm__generation(a);
  uint64_t before;
  fm__trace_spawned(d, a);
  const bool in_turn = true;
  before = fm__trace_begin(d, a, in_turn);
  start_now(d, a);
  fm__trace_end(d, a, generation, before, FM__PAUSED);
}

static inline void start(fm__runtime *d, fm_node *a, unsigned how) {
  if (fm__unlikely(how & FM_SPAWN_NOW) && d->current) {
    if (fm__unlikely(fm__load(unsigned, &d->attention) & FM__TRACE))
      start_now_traced(d, a);
    else if (fm__unlikely(fm__load(unsigned, &d->attention) & FM__COUNT))
      start_now_counted(d, a);
    else
      start_now(d, a);
    return;
  }
  fm__ready(d, a);
}

// The cases that spawn_child leaves out. `from` is in the program.
static FM_COLD fm_task spawn_specially(
    fm_domain *c, fm_frame *root, unsigned how, fm_activity in, void *from) {
  fm__runtime *d = fm__runtime_of(c);
  if (fm__tidy_now(d))
    fm__tidy(d);
  if (fm__tracing())
    fm__trace_spawns(d, from);
  fm_node *a = fm__make(d, root, how, in);
  fm_task t = { a, fm__generation(a) };
  start(d, a, how);
  return t;
}

// The parent of a new child of p: p or its innermost scope. NULL: the child inherits something.
static inline fm_node *plain_parent(fm_node *p) {
  if (fm__likely(!(p->word & (FM__INHERITED | FM__INNER | FM__EXTRAS))))
    return p;
  if ((p->word & (FM__INNER | FM__EXTRAS)) != FM__INNER)
    return NULL;
  p = (fm_node *)p->waiters;
  return fm__unlikely(p->word & FM__INHERITED) ? NULL : p;
}

// Makes a child of p in a, the first idle node, and makes it ready.
static inline fm_task
make_child(fm__runtime *d, fm_node *a, fm_node *p, fm_frame *root, bool held) {
  d->idle = a->link;
  // for the next spawn: idle nodes lie scattered
  __builtin_prefetch(a->link, 1);
  uint64_t generation = node_init(d, a, p, root);
  // one store
  a->handles = held;
  a->err = 0;
  a->set = 0;
  fm__push(&d->base, a);
  // Read from the node, the generation would have to wait for the store.
  return (fm_task){ a, generation };
}

// The common case. how: 0 or DROP, a constant.
static inline __attribute__((always_inline)) fm_task
spawn_child(fm_domain *c, fm_frame *root, unsigned how) {
  fm__runtime *d = fm__runtime_of(c);
  fm_node *a = d->idle;
  fm_node *p;
  if (fm__unlikely(fm__with_care(c) || !a || fm__tidy_now(d) ||
                   !(p = plain_parent(d->current))))
    return spawn_specially(c, root, how, (fm_activity){ 0 }, FM__CALLER);
  return make_child(d, a, p, root, how != FM_SPAWN_DROP);
}

// Aligned, as the loop is: otherwise the time of a spawn and an await would depend on the code
// before them.
__attribute__((aligned(64))) fm_task fm__spawn_child(fm_domain *c,
                                                     fm_frame *root) {
  return spawn_child(c, root, 0);
}

fm_task fm__spawn_dropped(fm_domain *c, fm_frame *root) {
  return spawn_child(c, root, FM_SPAWN_DROP);
}

fm_task fm__spawn(fm_domain *c, fm_frame *root, unsigned how, fm_activity in) {
  if (fm__runtime_of(c)->current && how == 0)
    return spawn_child(c, root, 0);
  return spawn_specially(c, root, how, in, FM__CALLER);
}

// The frame of an activate's body. It has no tasks: `handles` is the offset of the group in the
// frame above.
typedef struct body_frame {
  fm_frame head;
  char *up; // the frame whose variables it shares
} body_frame;

static void join_group(fm_node *a, fm_frame *root, fm_share_group *g) {
  a->handles = (uint32_t)((char *)g - ((body_frame *)root)->up);
  a->word |= FM__GROUPED;
  g->first = (fm_node *)((uintptr_t)g->first + FM__MEMBER);
}

fm_share_group *fm__group(const fm_node *a) {
  if (!(a->word & FM__GROUPED))
    return NULL;
  const body_frame *f = (body_frame *)fm__outermost(a->leaf);
  return (fm_share_group *)(f->up + a->handles);
}

void fm__activate(fm_domain *c,
                  fm_frame *root,
                  fm_share_group *g,
                  fm_activity *id,
                  unsigned how) {
  fm__runtime *d = fm__runtime_of(c);
  fm_node *a = fm__make(d, root, how | FM_SPAWN_DROP, (fm_activity){ 0 });
  if (fm__tracing())
    fm__trace_spawns(d, FM__CALLER);
  if (id)
    *id = (fm_activity){ a, fm__generation(a) };
  // NULL: it shares nothing, and no block waits for it
  if (g)
    join_group(a, root, g);
  start(d, a, how);
}

// ---- waiting for activities ----
// A mistake of the program. The activity unwinds first where it can, because only then the
// backtrace has all frames.
static void fail(fm__runtime *d, const char *message) {
  if (!d->current || fm__is_atomic(d))
    fm__fatal(d, message);
  d->failure = message;
  fm__pause_current(d, FM__FAILED);
}

static void wait_for_end(fm__runtime *d, fm_node *a, unsigned kind) {
  fm_node *me = d->current;
  fm_node *last = fm__last_waiter(a);
  me->link = me;
  if (last) {
    me->link = last->link;
    last->link = me;
  }
  *fm__waiters(a) = (uintptr_t)me;
  fm__pause_for(d, kind, a);
}

static FM_COLD void take_failed(fm__runtime *d, fm_node *a) {
  fm_frame *f = a->leaf;
  f->spare += a->handles != 0;
  if (!a->handles)
    fm__release(d, a);
  fm__read_result(d, f);
}

static inline void take(fm__runtime *d, fm_node *a) {
  fm_frame *f = a->leaf;
  d->c.result = fm__result_of(f);
  if (fm__unlikely(fm__has_failed(f))) {
    take_failed(d, a);
    return;
  }
  if (a->handles)
    return;
  if (--f->spare == 0)
    fm__hand_over(d, f);
  fm__release(d, a);
}

void fm__take_result(fm__runtime *d, fm_node *a) {
  take(d, a);
}

#define NOT_HELD                                                          \
  "await of a task that was already awaited or given up; fm_share makes " \
  "one more handle"
#define NOT_SPAWNED                                                        \
  "await of a task that is zero: nothing was spawned for it, or fm_share " \
  "found no handle to share"
// The task belongs to another domain, or it is none at all.
static FM_COLD void *await_no_child(fm_domain *c, fm_task t) {
  if (t.node && (fm__is_remote(fm__id(t)) || fm__domain_has_ended(fm__id(t))))
    fm__remote_await(c, t);
  else
    fail(fm__runtime_of(c), t.node ? NOT_HELD : NOT_SPAWNED);
  return NULL;
}

static void *unwind_instead(fm__runtime *d, fm_node *a) {
  a->handles++; // gives the handle back
  fm__throw_cancel(d);
  return NULL;
}

static FM_COLD void *await_specially(fm_domain *c, fm_node *a) {
  fm__runtime *d = fm__runtime_of(c);
  if (fm__is_armed(d))
    return unwind_instead(d, a);
  wait_for_end(d, a, FM__WAWAIT);
  if (fm__in_atomic(d))
    fm__contain(d, a);
  return NULL;
}

// An arm that lost its race in an automatic yield leaves the result to others.
static FM_COLD void *await_ended_specially(fm_domain *c, fm_node *a) {
  fm__runtime *d = fm__runtime_of(c);
  if (fm__is_armed(d) && fm__lost_race(d->current) && !(a->word & FM__WON))
    return unwind_instead(d, a);
  take(d, a);
  return c->result;
}

// The same result for a task that nobody else knows of, in a small frame. Nothing is called, so no
// register is saved.
static __attribute__((noinline)) void *await_ended(fm_domain *c, fm_node *a) {
  fm__runtime *d = fm__runtime_of(c);
  fm_frame *f = a->leaf;
  fm__ato_joined(a, d->current);
  if (fm__unlikely(a->handles | (f->spare ^ 1) | d->current->waits ||
                   a->word & FM__MARKS || fm__has_failed(f) ||
                   f->grains >= FM_CLASSES))
    return await_ended_specially(c, a);
  c->result = fm__result_of(f);
  fm__hand_over(d, f);
  fm__to_idle(d, a);
  return c->result;
}

enum { ANY = false }; // another task than a child

// child: the caller knows that a is a child of the current activity.
static inline __attribute__((always_inline)) void *
await_here(fm_domain *c, fm_task t, bool child) {
  fm__runtime *d = fm__runtime_of(c);
  fm_node *a = t.node;
  fm_node *me = d->current;
  uint32_t handles;
  if (fm__unlikely(!fm__is_valid(a, t.generation) ||
                   __builtin_sub_overflow(a->handles, 1u, &handles)))
    return await_no_child(c, t);
  a->handles = handles;
  if (a->word & FM__ENDED)
    return await_ended(c, a);
  if (fm__unlikely(a->waiters | me->waits | handles || d->nested ||
                   (!child && a->parent != me && fm__owner(a->parent) != me)))
    return await_specially(c, a);
  a->waiters = (uintptr_t)me + FM__SOLE;
  me->waits = (uintptr_t)a + FM__WAWAIT;
  fm__pause_current(d, FM__PAUSED);
  return NULL;
}

static __attribute__((noinline)) void *await_other(fm_domain *c, fm_task t) {
  if (!t.node || fm__runtime_of_node(t.node) != fm__runtime_of(c))
    return await_no_child(c, t);
  return await_here(c, t, ANY);
}

// Another thread may be changing a task of another domain while this one reads it. The values read
// do not matter: only nodes of this domain name its current activity. TSan has to see that nothing
// is read.
#ifdef FM_TSAN
enum { CHILD = false };
#else
enum { CHILD = true };
#endif
static inline bool is_child(fm__runtime *d, const fm_node *a) {
#ifdef FM_TSAN
  return fm__runtime_of_node(a) == d;
#else
  const fm_node *me = d->current;
  return fm__likely(a->parent == me) ||
         (me->word & FM__INNER && (uintptr_t)a->parent == me->waiters);
#endif
}

__attribute__((aligned(64))) void *fm__await(fm_domain *c, fm_task t) {
  if (fm__unlikely(!t.node || !is_child(fm__runtime_of(c), t.node)))
    return await_other(c, t);
  return await_here(c, t, CHILD);
}

static FM_COLD void *
await_new_specially(fm_domain *c, fm_frame *root, void *from) {
  return fm__await(c, spawn_specially(c, root, 0, (fm_activity){ 0 }, from));
}

// The child cannot have ended yet, and no task of it is held.
__attribute__((aligned(64))) void *fm__await_new(fm_domain *c, fm_frame *root) {
  fm__runtime *d = fm__runtime_of(c);
  fm_node *me = d->current;
  fm_node *a = d->idle;
  fm_node *p;
  if (fm__unlikely(fm__with_care(c) || !a || fm__tidy_now(d) || me->waits ||
                   !(p = plain_parent(me))))
    return await_new_specially(c, root, FM__CALLER);
  const bool held = false;
  make_child(d, a, p, root, held);
  a->waiters = (uintptr_t)me + FM__SOLE;
  me->waits = (uintptr_t)a + FM__WAWAIT;
  fm__pause_current(d, FM__PAUSED);
  return NULL;
}

void fm__join(fm_domain *c, fm_activity t) {
  fm__runtime *d = fm__runtime_of(c);
  fm__nothing_to_read(d);
  if (fm__unlikely(fm__is_remote(t)))
    t = fm__remote_join(c, t);
  if (!fm__is_valid(t.node, t.generation) || t.node->word & FM__ENDED)
    return;
  if (fm__wait_ends_here(d))
    return;
  wait_for_end(d, t.node, FM__WJOIN);
  if (fm__in_atomic(d))
    fm__contain(d, t.node);
}

void fm__join_group(fm_domain *c, fm_share_group *g) {
  fm__runtime *d = fm__runtime_of(c);
  fm__nothing_to_read(d);
  if (!g->first)
    return;
  if (fm__unlikely(fm__in_atomic(d)))
    fm__contain_children(d, fm__innermost(d->current), g);
  fm__pause_for(d, FM__WGROUP, g);
}

// ---- handles ----
fm_activity fm__id(fm_task t) {
  return (fm_activity){ t.node, t.generation };
}

fm_task fm__share(fm_task t) {
  if (fm__is_remote(fm__id(t))) {
    fm__remote_share(t);
    return t;
  }
  if (!fm__is_valid(t.node, t.generation) || !t.node->handles)
    return (fm_task){ 0 };
  t.node->handles++;
  return t;
}

void fm__detach(fm_task t) {
  if (fm__is_remote(fm__id(t))) {
    fm__remote_detach(t);
    return;
  }
  if (!fm__is_valid(t.node, t.generation) || !t.node->handles)
    return;
  if (--t.node->handles || !(t.node->word & FM__ENDED))
    return;
  fm__give_up(fm__runtime_of(fm__here()), t.node);
}
