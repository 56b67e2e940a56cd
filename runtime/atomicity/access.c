// access.c: what code that was compiled with -fsanitize=thread calls: before each read and write,
// and on entering and leaving a function. The names and arguments are those of gcc and clang. Where
// no activity runs, nothing is noted. The C stack of the thread, the domain, and errno (which each
// activity has for itself) are skipped.
#include "atomicity/quick.h"

__thread fm__self fm__self_now;

FM__QUICK bool is_domain(uintptr_t address) {
  return address - (uintptr_t)fm__self_now.domain < sizeof(fm__runtime);
}

static bool is_skipped(const fm__self *s, uintptr_t address) {
  return address - s->stack_low < s->stack_size || address == s->error;
}

// The bytes of a granule from `from` up to `to`.
static unsigned mask_of(size_t from, size_t to) {
  return (0xffu << from) & (0xffu >> (FM__GRANULE - to));
}

typedef enum { READS, WRITES } kind;

// The access is in one granule.
FM__QUICK bool is_usual(uintptr_t at, size_t size, uintptr_t pc, kind k) {
  const fm__self *s = &fm__self_now;
  if (!fm__quick_is_near(s, at))
    return false;
  const fm__cell *c = fm__quick_cell(s, at);
  unsigned mask = ((1u << size) - 1) << at % FM__GRANULE;
  return k == READS ? fm__quick_read(s, c, mask, pc)
                    : fm__quick_write(s, c, mask, pc);
}

static void
touch(fm__self *s, uintptr_t granule, unsigned mask, uintptr_t pc, kind k) {
  if (k == READS)
    fm__shadow_read(s, granule, mask, pc);
  else
    fm__shadow_write(s, granule, mask, pc, 0);
}

static void
touch_many(fm__self *s, uintptr_t at, size_t size, uintptr_t pc, kind k) {
  uintptr_t end = at + size;
  while (at < end) {
    uintptr_t granule = at & ~(uintptr_t)(FM__GRANULE - 1);
    uintptr_t next = granule + FM__GRANULE;
    size_t to = next < end ? FM__GRANULE : end - granule;
    if (at != granule || to != FM__GRANULE || !is_usual(at, FM__GRANULE, pc, k))
      touch(s, granule, mask_of(at - granule, to), pc, k);
    at = next;
  }
}

// An access that is not one of the usual ones.
static __attribute__((noinline)) void
look_closer(uintptr_t at, size_t size, uintptr_t pc, kind k) {
  fm__self *s = &fm__self_now;
  size_t from = at % FM__GRANULE;
  if (!s->actor || s->busy || is_skipped(s, at))
    return;
  if (from + size <= FM__GRANULE)
    touch(s, at - from, mask_of(from, from + size), pc, k);
  else
    touch_many(s, at, size, pc, k);
}

// The size is a constant.
FM__QUICK void note(const void *p, size_t size, uintptr_t pc, kind k) {
  uintptr_t at = (uintptr_t)p;
  const size_t first = size < FM__GRANULE ? size : FM__GRANULE;
  bool usual = is_usual(at, first, pc, k) &&
               (size == first || is_usual(at + first, size - first, pc, k));
  if (fm__unlikely(!usual) && !is_domain(at))
    look_closer(at, size, pc, k);
}

FM__QUICK void
note_unaligned(const void *p, size_t size, uintptr_t pc, kind k) {
  if ((uintptr_t)p % (size < FM__GRANULE ? size : FM__GRANULE) == 0)
    note(p, size, pc, k);
  else if (!is_domain((uintptr_t)p))
    look_closer((uintptr_t)p, size, pc, k);
}

void fm__ato_read(const void *p, size_t size, void *pc) {
  if (size && !is_domain((uintptr_t)p))
    look_closer((uintptr_t)p, size, (uintptr_t)pc, READS);
}

void fm__ato_write(const void *p, size_t size, void *pc) {
  if (size && !is_domain((uintptr_t)p))
    look_closer((uintptr_t)p, size, (uintptr_t)pc, WRITES);
}

#define HERE ((uintptr_t)__builtin_return_address(0))
#define ACCESSES(size)                                  \
  void __tsan_read##size(void *p);                      \
  void __tsan_write##size(void *p);                     \
  void __tsan_unaligned_read##size(void *p);            \
  void __tsan_unaligned_write##size(void *p);           \
  void __tsan_volatile_read##size(void *p);             \
  void __tsan_volatile_write##size(void *p);            \
  void __tsan_unaligned_volatile_read##size(void *p);   \
  void __tsan_unaligned_volatile_write##size(void *p);  \
  void __tsan_read_write##size(void *p);                \
  void __tsan_unaligned_read_write##size(void *p);      \
  void __tsan_read##size(void *p) {                     \
    note(p, size, HERE, READS);                         \
  }                                                     \
  void __tsan_write##size(void *p) {                    \
    note(p, size, HERE, WRITES);                        \
  }                                                     \
  void __tsan_unaligned_read##size(void *p) {           \
    note_unaligned(p, size, HERE, READS);               \
  }                                                     \
  void __tsan_unaligned_write##size(void *p) {          \
    note_unaligned(p, size, HERE, WRITES);              \
  }                                                     \
  void __tsan_volatile_read##size(void *p) {            \
    note(p, size, HERE, READS);                         \
  }                                                     \
  void __tsan_volatile_write##size(void *p) {           \
    note(p, size, HERE, WRITES);                        \
  }                                                     \
  void __tsan_unaligned_volatile_read##size(void *p) {  \
    note_unaligned(p, size, HERE, READS);               \
  }                                                     \
  void __tsan_unaligned_volatile_write##size(void *p) { \
    note_unaligned(p, size, HERE, WRITES);              \
  }                                                     \
  void __tsan_read_write##size(void *p) {               \
    note(p, size, HERE, READS);                         \
    note(p, size, HERE, WRITES);                        \
  }                                                     \
  void __tsan_unaligned_read_write##size(void *p) {     \
    note_unaligned(p, size, HERE, READS);               \
    note_unaligned(p, size, HERE, WRITES);              \
  }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void *p, unsigned long size);
void __tsan_write_range(void *p, unsigned long size);
void __tsan_read_range(void *p, unsigned long size) {
  if (size && !is_domain((uintptr_t)p))
    look_closer((uintptr_t)p, size, HERE, READS);
}
void __tsan_write_range(void *p, unsigned long size) {
  if (size && !is_domain((uintptr_t)p))
    look_closer((uintptr_t)p, size, HERE, WRITES);
}

// C++: the hidden pointers of objects.
void __tsan_vptr_update(void **p, void *value);
void __tsan_vptr_read(void **p);
void __tsan_vptr_update(void **p, void *value) {
  if (*p != value)
    note(p, sizeof *p, HERE, WRITES);
}
void __tsan_vptr_read(void **p) {
  note(p, sizeof *p, HERE, READS);
}

// ---- functions ----
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void __tsan_func_entry(void *caller) {
  fm__self *s = &fm__self_now;
  if (!s->actor || s->busy)
    return;
  s->busy = true;
  fm__ato_lock();
  fm__invocation_enter(s,
                       (uintptr_t)caller,
                       HERE,
                       (uintptr_t)__builtin_frame_address(0));
  fm__ato_unlock();
  s->busy = false;
}
void __tsan_func_exit(void) {
  fm__self *s = &fm__self_now;
  if (!s->actor || s->busy)
    return;
  s->busy = true;
  fm__ato_lock();
  fm__invocation_leave(s, HERE, (uintptr_t)__builtin_frame_address(0));
  fm__ato_unlock();
  s->busy = false;
}

// ---- what programs may call that know ThreadSanitizer ----
void __tsan_init(void);
void __tsan_acquire(void *p);
void __tsan_release(void *p);
void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_end(void);
void __tsan_init(void) {
  fm__ato_settings_now();
}
void __tsan_acquire(void *p) {
  (void)p;
}
void __tsan_release(void *p) {
  (void)p;
}
void __tsan_ignore_thread_begin(void) {
}
void __tsan_ignore_thread_end(void) {
}
