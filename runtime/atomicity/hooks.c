// hooks.c: the functions that the runtime of this variant calls (core/atomicity-hooks.h). They note
// which activity runs, where its turns begin and end, which frames are made, resumed and freed, and
// which activity has waited for the end of another one.
//
// Turns are nested: inside an atomic, and where a child starts at once, another activity has its
// turn on the C stack of the first. After it, the first one is in a new turn: it was interrupted.
#define _GNU_SOURCE
#include "atomicity/atomicity.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

// ---- the lock ----
static atomic_flag lock = ATOMIC_FLAG_INIT;
static __thread bool locked;

void fm__ato_lock_taken(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
    sched_yield();
  locked = true;
}

void fm__ato_lock_given(void) {
  if (!locked)
    return;
  locked = false;
  atomic_flag_clear_explicit(&lock, memory_order_release);
}

// ---- activities ----
enum { ACTORS = 4096 };
static struct {
  fm__actor **at; // by node, open addressing; the last activity of each node
  size_t room;    // a power of two
  size_t used;
} actors;

static size_t place_of(const fm_node *a) {
  return ((uintptr_t)a >> 4) * (size_t)0x9e3779b97f4a7c15u >> 32 &
         (actors.room - 1);
}

static fm__actor **find(const fm_node *a) {
  size_t i = place_of(a);
  while (actors.at[i] && actors.at[i]->node != a)
    i = (i + 1) & (actors.room - 1);
  return &actors.at[i];
}

static void grow(void) {
  fm__actor **old = actors.at;
  size_t n = actors.room;
  actors.room = n ? 2 * n : ACTORS;
  actors.at = fm__ato_pages(actors.room * sizeof *actors.at);
  for (size_t i = 0; i < n; i++)
    if (old[i])
      *find(old[i]->node) = old[i];
}

static fm__actor *known(const fm_node *a) {
  fm__actor *is = actors.room && a ? *find(a) : NULL;
  return is && is->generation == fm__generation(a) ? is : NULL;
}

static fm__actor *actor_new(fm__runtime *d, fm_node *a) {
  fm__actor *n = fm__actor_new();
  fm_node *parent = a->parent;
  *n = (fm__actor){
    .domain = d,
    .node = a,
    .generation = fm__generation(a),
    .parent = parent,
    .parent_generation = parent ? fm__generation(parent) : 0,
    .owner = parent ? known(fm__owner(parent)) : NULL,
    .refs = 1,
  };
  if (n->owner)
    n->owner->refs++;
  strncpy(n->name, fm__name_of(d, a), sizeof n->name - 1);
  return n;
}

static fm__actor *actor_of(fm__runtime *d, fm_node *a) {
  if (2 * actors.used >= actors.room)
    grow();
  fm__actor **at = find(a);
  if (*at && (*at)->generation == fm__generation(a))
    return *at;
  fm__actor *n = actor_new(d, a);
  actors.used += !*at;
  if (*at)
    fm__actor_drop(*at);
  *at = n;
  return n;
}

// ---- turns ----
static void find_stack(fm__self *s) {
  pthread_attr_t a;
  void *low;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &a) != 0)
    return;
  if (pthread_attr_getstack(&a, &low, &size) == 0) {
    s->stack_low = (uintptr_t)low;
    s->stack_size = size;
  }
  pthread_attr_destroy(&a);
}

_Atomic unsigned fm__ato_domains;

static void first_turn(fm__self *s, fm__runtime *d) {
  fm__ato_domains++;
  find_stack(s);
  s->error = (uintptr_t)&errno;
  s->domain = d;
  s->more = fm__ato_settings_now()->more;
  fm__places_variables();
}

static uint64_t next_turn(void) {
  static uint64_t turns;
  return ++turns;
}

// NULL: no activity runs.
void fm__ato_turn(fm__runtime *d, fm_node *a) {
  fm__self *s = &fm__self_now;
  if (s->busy)
    return;
  s->busy = true;
  fm__ato_lock();
  if (s->domain != d)
    first_turn(s, d);
  if (s->suspects)
    fm__rules_turn_ends(s);
  s->actor = a && a != &d->host ? actor_of(d, a) : NULL;
  s->turn = next_turn();
  s->several = fm__ato_domains > 1;
  if (s->actor)
    fm__gap_begins(s);
  s->now = s->bottom = NULL;
  s->resumes = NULL;
  fm__ato_unlock();
  s->busy = false;
}

void fm__ato_turn_enter(fm__ato_turn_before *was) {
  fm__self *s = &fm__self_now;
  *was = (fm__ato_turn_before){ s->domain, s->actor, s->now, s->bottom };
}

void fm__ato_turn_leave(const fm__ato_turn_before *was) {
  fm__self *s = &fm__self_now;
  s->busy = true;
  fm__ato_lock();
  if (s->suspects)
    fm__rules_turn_ends(s);
  if (s->actor)
    fm__gap_ends(s);
  s->turn = next_turn();
  s->actor = was->domain == s->domain ? was->actor : NULL;
  s->now = was->now;
  s->bottom = was->bottom;
  s->resumes = NULL;
  fm__ato_unlock();
  s->busy = false;
}

void fm__ato_resumes(fm_frame *f) {
  fm__self *s = &fm__self_now;
  s->now = s->bottom = NULL;
  s->resumes = f;
}

// ---- the end of an activity that another one has waited for ----
void fm__ato_joined(fm_node *child, fm_node *by) {
  fm__self *s = &fm__self_now;
  if (s->busy)
    return;
  s->busy = true;
  fm__ato_lock();
  fm__actor *c = known(child);
  fm__actor *w = known(by);
  if (c && w && c != w && !c->joiner) {
    c->joiner = w;
    w->refs++;
  }
  fm__ato_unlock();
  s->busy = false;
}

// ---- frames ----
void fm__ato_frame_new(const volatile void *p, size_t n) {
  fm__self *s = &fm__self_now;
  if (s->busy)
    return;
  s->busy = true;
  fm__ato_lock();
  fm__invocation_unbind((const fm_frame *)(uintptr_t)p);
  fm__shadow_new((uintptr_t)p, n, true);
  fm__ato_unlock();
  s->busy = false;
}

void fm__ato_frame_free(const volatile void *p, size_t n) {
  fm__self *s = &fm__self_now;
  (void)n;
  if (s->busy)
    return;
  s->busy = true;
  fm__ato_lock();
  fm__invocation_unbind((const fm_frame *)(uintptr_t)p);
  fm__ato_unlock();
  s->busy = false;
}

void fm__ato_skip(const void *p, size_t n) {
  fm__ato_lock();
  fm__shadow_skip((uintptr_t)p, n);
  fm__ato_unlock();
}
