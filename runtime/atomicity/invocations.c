// invocations.c: functions that have been entered, as a tree: each knows its caller, and the place
// of the call there. An async function that pauses leaves the C stack, and its frame stands for it:
// a table leads from frames to invocations. So a history can name the calls of a read long after
// it, and rules can ask which function both a read and a write belong to.
//
// Histories refer to invocations that have ended. So each has a count of references: one while it
// lives, one for each callee and one for each record. The count of activities works in the same
// way.
#include "atomicity/atomicity.h"

#include <sys/mman.h>

// ---- memory ----
void *fm__ato_pages(size_t bytes) {
  void *p = mmap(NULL,
                 bytes,
                 PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1,
                 0);
  if (p == MAP_FAILED)
    fm__out_of_memory("the history of memory", "", bytes);
  return p;
}

void fm__ato_give(fm__free_list **list, void *object) {
  fm__free_list *f = object;
  f->next = *list;
  *list = f;
}

void *fm__ato_take(fm__free_list **list, size_t size) {
  enum { SOME = 4096 };
  if (!*list) {
    char *p = fm__ato_pages(SOME * size);
    for (size_t i = SOME; i-- > 0;)
      fm__ato_give(list, p + i * size);
  }
  fm__free_list *f = *list;
  *list = f->next;
  return f;
}

static fm__free_list *free_ones;

fm__invocation *fm__invocation_new(fm__invocation *up, uintptr_t call) {
  fm__invocation *i = fm__ato_take(&free_ones, sizeof *i);
  *i = (fm__invocation){
    .up = up,
    .call = call,
    .refs = 1,
    .depth = up ? up->depth + 1 : 0,
    .live = true,
  };
  if (up)
    up->refs++;
  return i;
}

void fm__invocation_drop(fm__invocation *i) {
  while (i && --i->refs == 0) {
    fm__invocation *up = i->up;
    fm__ato_give(&free_ones, i);
    i = up;
  }
}

static void end(fm__invocation *i) {
  if (!i->live)
    return;
  i->live = false;
  i->frame = NULL;
  i->stack = 0;
  fm__invocation_drop(i);
}

// ---- the table of frames ----
// Open addressing; a removed entry is filled by those after it.
typedef struct Entry {
  const fm_frame *frame;
  fm__invocation *its;
} Entry;

static Entry *table;
static size_t room; // a power of two
static size_t used;

static size_t place_of(const fm_frame *f) {
  return ((uintptr_t)f >> 4) * (size_t)0x9e3779b97f4a7c15u >> 32 & (room - 1);
}

static Entry *find(const fm_frame *f) {
  size_t i = place_of(f);
  while (table[i].frame && table[i].frame != f)
    i = (i + 1) & (room - 1);
  return &table[i];
}

static void grow(void) {
  Entry *old = table;
  size_t n = room;
  room = n ? 2 * n : 1024;
  table = fm__ato_pages(room * sizeof *table);
  for (size_t i = 0; i < n; i++)
    if (old[i].frame)
      *find(old[i].frame) = old[i];
  if (old)
    munmap(old, n * sizeof *old);
}

static void close_gap(size_t gap) {
  for (size_t i = (gap + 1) & (room - 1); table[i].frame;
       i = (i + 1) & (room - 1)) {
    size_t home = place_of(table[i].frame);
    if (((i - home) & (room - 1)) < ((i - gap) & (room - 1)))
      continue;
    table[gap] = table[i];
    gap = i;
  }
  table[gap] = (Entry){ 0 };
}

fm__invocation *fm__invocation_of(const fm_frame *f) {
  return used && f ? find(f)->its : NULL;
}

void fm__invocation_bind(fm_frame *f, fm__invocation *i) {
  if (2 * used >= room)
    grow();
  Entry *e = find(f);
  if (e->its == i)
    return;
  if (e->its)
    e->its->frame = NULL;
  used += !e->frame;
  *e = (Entry){ f, i };
  i->frame = f;
}

static void forget_frame(const fm_frame *f) {
  if (!used)
    return;
  Entry *e = find(f);
  if (!e->frame)
    return;
  close_gap((size_t)(e - table));
  used--;
}

void fm__invocation_unbind(const fm_frame *f) {
  fm__invocation *i = fm__invocation_of(f);
  if (!i)
    return;
  forget_frame(f);
  // A call that frees its frame before it returns stands on the C stack.
  i->frame = NULL;
  if (!i->stack)
    end(i);
}

fm__invocation *fm__invocation_around(const fm_frame *f) {
  fm__invocation *i = NULL;
  for (; f && !i; f = fm__caller(f))
    i = fm__invocation_of(f);
  return i;
}

// ---- entering and leaving ----
// Leaves functions that longjmp, exit or a failed call has passed by: they stand deeper than
// `stack`.
static void leave_passed(fm__self *s, uintptr_t stack) {
  while (s->now && s->now->stack && s->now->stack < stack &&
         s->now != s->bottom) {
    fm__invocation *i = s->now;
    s->now = i->up;
    if (i->frame)
      i->stack = 0;
    else
      end(i);
  }
}

// Whether the address is in the first instructions of the function that resumes the frame.
static bool is_resume_of(const fm_frame *f, uintptr_t here) {
  enum { PROLOGUE = 256 };
  return here - (uintptr_t)f->code->resume < PROLOGUE;
}

// The first function of a turn.
static void enter_first(fm__self *s, uintptr_t caller, uintptr_t here) {
  fm_frame *f = s->resumes;
  fm__invocation *i = fm__invocation_of(f);
  if (!f || !is_resume_of(f, here)) {
    s->now = fm__invocation_new(fm__invocation_around(f), f ? 0 : caller);
  } else if (i) {
    s->now = i;
  } else {
    s->now = fm__invocation_new(fm__invocation_around(fm__caller(f)), 0);
    fm__invocation_bind(f, s->now);
  }
  s->bottom = s->now;
}

void fm__invocation_enter(fm__self *s,
                          uintptr_t caller,
                          uintptr_t here,
                          uintptr_t stack) {
  if (s->now && s->now->stack <= stack)
    leave_passed(s, stack + 1);
  if (!s->now)
    enter_first(s, caller, here);
  else
    s->now = fm__invocation_new(s->now, caller);
  s->now->stack = stack;
}

static bool is_pausing(const fm__self *s) {
  uintptr_t guard = fm__guard(&s->domain->c);
  return guard > FM_STOP && guard != FM_PAUSE(FM_UNWINDS);
}

// The function that is left has made the frame that was linked last. Its helpers, which have
// functions and frames of their own on the C stack, are left before it.
static void take_frame(fm__self *s, fm__invocation *i, uintptr_t here) {
  fm_frame *top = s->domain->c.top;
  if (!top || i->frame == top)
    return;
  const fm__code_place *p = fm__place_at(here);
  if (p->code == top->code)
    fm__invocation_bind(top, i);
}

void fm__invocation_leave(fm__self *s, uintptr_t here, uintptr_t stack) {
  leave_passed(s, stack);
  fm__invocation *i = s->now;
  if (!i)
    return;
  s->now = i == s->bottom ? NULL : i->up;
  if (i == s->bottom)
    s->bottom = NULL;
  if (is_pausing(s))
    take_frame(s, i, here);
  else if (i->frame)
    forget_frame(i->frame);
  if (is_pausing(s) && i->frame)
    i->stack = 0;
  else
    end(i);
}

// ---- activities ----
static fm__free_list *free_actors;

fm__actor *fm__actor_new(void) {
  return fm__ato_take(&free_actors, sizeof(fm__actor));
}

void fm__actor_drop(fm__actor *a) {
  while (a && --a->refs == 0) {
    fm__actor *owner = a->owner;
    if (a->joiner)
      fm__actor_drop(a->joiner);
    fm__ato_give(&free_actors, a);
    a = owner;
  }
}

bool fm__actor_ended(const fm__actor *a) {
  return !fm__is_valid(a->node, a->generation) || a->node->word & FM__ENDED;
}

static const fm__actor *joiner_of(const fm__actor *a) {
  if (a->joiner)
    return a->joiner;
  bool over =
      fm__actor_ended(a) && !fm__is_valid(a->parent, a->parent_generation);
  return over ? a->owner : NULL;
}

bool fm__actor_joined(const fm__actor *a, const fm__actor *w) {
  while ((a = joiner_of(a)))
    if (a == w)
      return true;
  return false;
}
