// locals.c: variables that each activity has for itself (fm_local). The first set of a local makes
// its *record*: its name and type for reports, its initial value, and its place among the values of
// all locals. The values of an activity are one block, with a place for each local:
//
//     extras of activity 1 ──┐
//     extras of activity 2 ──┴─→ block: 2 users, values of all locals
//     extras of activity 3 ────→ block: 1 user, values of all locals
//
// A child begins with the block of the activity that made it. So a spawn counts one more user, and
// nothing is copied before one of them sets a value: copy on write. A block belongs to one domain;
// spawn on gives a copy to the other domain. A local whose place is not in a block, because its
// record is younger, has its initial value there. Records are never freed.
#define _GNU_SOURCE
#include "fm.h"
#include "core/forked.h"

#include <pthread.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ALIGN = 64 }; // the largest alignment of a value

struct fm__locals {
  uint32_t users; // activities that have this block
  uint32_t room;  // bytes of the values
  char *values;   // in the same memory, aligned
};

// The local as the program uses it.
typedef struct shape {
  size_t size, align;
  const char *text; // which the program wrote for its address: `&name`
  int kind;         // fm__local_kind in fermata.h
} shape;

typedef struct fm__local_record record;
struct fm__local_record {
  record *next;     // the record that was made after this one
  uint32_t at, end; // where its value is in a block
  char kind;        // how it is shown: see show()
  char *name;
  // its initial value follows, aligned
};

// ---- records ----
// tools/fermata-gdb.py reads it.
static struct {
  pthread_mutex_t lock;
  record *first, *last;
  uint32_t room; // bytes that the values of all locals need
} local_records = { .lock = PTHREAD_MUTEX_INITIALIZER };

static char *aligned(void *p) {
  return (char *)(((uintptr_t)p + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1));
}

static char *initial_of(record *r) {
  return aligned(r + 1);
}

// The lock is held.
static record *record_new(const fm__local *l, shape t) {
  const char *name = t.text + (*t.text == '&');
  size_t bytes = sizeof(record) + ALIGN + t.size + strlen(name) + 1;
  record *r = fm__alloc(bytes);
  if (!r)
    fm__out_of_memory("local ", name, bytes);
  size_t at = (local_records.room + t.align - 1) & ~(t.align - 1);
  *r = (record){
    .at = (uint32_t)at,
    .end = (uint32_t)(at + t.size),
    .kind = (char)t.kind,
  };
  r->name = initial_of(r) + t.size;
  strcpy(r->name, name);
  if (l->initial)
    memcpy(initial_of(r), l->initial, t.size);
  else
    memset(initial_of(r), 0, t.size);
  return r;
}

// Other domains may use the same local for the first time.
static FM_COLD record *make_record(fm__local *l, shape t) {
  fm__pthread_lock(&local_records.lock);
  record *r = l->record;
  if (!r) {
    r = record_new(l, t);
    local_records.room = r->end;
    *(local_records.first ? &local_records.last->next : &local_records.first) =
        r;
    local_records.last = r;
    __atomic_store_n(&l->record, r, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&local_records.lock);
  return r;
}

static record *record_of(const fm__local *l) {
  return __atomic_load_n(&l->record, __ATOMIC_ACQUIRE);
}

// ---- blocks ----
static fm__locals *block_new(uint32_t room) {
  size_t bytes = sizeof(fm__locals) + ALIGN + room;
  fm__locals *s = fm__alloc(bytes);
  if (!s)
    fm__out_of_memory("locals", "", bytes);
  *s = (fm__locals){ .users = 1, .room = room, .values = aligned(s + 1) };
  return s;
}

// old: NULL: all have their initial values
static fm__locals *copy(const fm__locals *old) {
  fm__pthread_lock(&local_records.lock);
  fm__locals *s = block_new(local_records.room);
  uint32_t known = old ? old->room : 0;
  if (old)
    memcpy(s->values, old->values, known);
  for (record *r = local_records.first; r; r = r->next)
    if (r->end > known)
      memcpy(s->values + r->at, initial_of(r), r->end - r->at);
  pthread_mutex_unlock(&local_records.lock);
  return s;
}

static void leave(fm__locals *s) {
  if (s && --s->users == 0)
    fm__free(s);
}

void fm__locals_free(fm__locals *s) {
  leave(s);
}

// ---- of an activity ----
static fm_node *user(fm__runtime *d) {
  return d->current ? d->current : &d->host;
}

// Plain code has values of its own: those of the host.
static fm__locals *locals_here(fm__runtime *d) {
  const fm_node *a = user(d);
  if (fm__likely(d->read_of == a))
    return d->read;
  if (!(a->word & FM__EXTRAS))
    return NULL;
  d->read_of = a;
  return d->read = fm__extra_of(d, a)->locals;
}

void fm__locals_drop(fm__runtime *d, fm__extra *x) {
  if (d->read_of == x->node)
    d->read_of = NULL;
  leave(x->locals);
}

void fm__locals_give(fm__runtime *d, fm_node *a, fm__locals *s) {
  if (s)
    fm__extra_make(d, a)->locals = s;
}

void fm__locals_inherit(fm__runtime *d, fm_node *a) {
  fm__locals *s = locals_here(d);
  if (!s)
    return;
  s->users++;
  fm__locals_give(d, a, s);
}

void fm__locals_return(fm__runtime *d, fm_node *a, fm_node *to) {
  fm__locals *s = a->word & FM__EXTRAS ? fm__extra_of(d, a)->locals : NULL;
  if (!s)
    return;
  s->users++;
  fm__extra *x = fm__extra_make(d, to);
  fm__locals_drop(d, x);
  x->locals = s;
}

fm__locals *fm__locals_copy(fm__runtime *d) {
  const fm__locals *s = locals_here(d);
  return s ? copy(s) : NULL;
}

// ---- what programs call ----
const void *fm__local_get(fm__local *l) {
  fm__runtime *d = fm__runtime_here();
  const record *r = record_of(l);
  if (!d || !r)
    return NULL;
  const fm__locals *s = locals_here(d);
  return s && r->end <= s->room ? s->values + r->at : NULL;
}

// Nothing was set in this activity or before it was made.
const void *
fm__local_first(fm__local *l, size_t size, size_t align, const char *text) {
  enum { SMALL = 256 };
  static const _Alignas(ALIGN) char zero[SMALL];
  if (l->initial)
    return l->initial;
  if (size <= SMALL)
    return zero;
  record *r = record_of(l);
  return initial_of(r ? r : make_record(l, (shape){ size, align, text, 0 }));
}

void *fm__local_put(
    fm__local *l, size_t size, size_t align, const char *text, int kind) {
  fm__runtime *d = fm__runtime_of(fm__here());
  fm_node *a = user(d);
  const record *r = record_of(l);
  if (fm__unlikely(!r))
    r = make_record(l, (shape){ size, align, text, kind });
  fm__extra *x = fm__extra_make(d, a);
  fm__locals *s = x->locals;
  if (!s || s->users > 1 || s->room < r->end) {
    x->locals = copy(s);
    leave(s);
  }
  d->read_of = a;
  d->read = x->locals;
  return x->locals->values + r->at;
}

// ---- reports ----
static int64_t signed_at(const char *p, size_t n) {
  int64_t wide = 0;
  memcpy(&wide, p, n);
  unsigned unused = 64 - (unsigned)n * 8;
  return (int64_t)((uint64_t)wide << unused) >> unused;
}

static uint64_t unsigned_at(const char *p, size_t n) {
  uint64_t wide = 0;
  memcpy(&wide, p, n);
  return wide;
}

// The text may be gone by now. The kernel copies it, so that nothing can go wrong; it copies to the
// end of a page at least.
static void show_text(FILE *to, const char *at) {
  enum { MOST = 60, PAGE = 4096 };
  char text[MOST];
  size_t n = PAGE - (uintptr_t)at % PAGE;
  struct iovec here = { text, sizeof text };
  struct iovec there[] = { { (void *)at, n < MOST ? n : MOST },
                           { (void *)(at + n), n < MOST ? MOST - n : 0 } };
  ssize_t got = at ? process_vm_readv(getpid(), &here, 1, there, 2, 0) : 0;
  if (got <= 0) {
    fprintf(to, "%p", (const void *)at);
    return;
  }
  size_t length = strnlen(text, (size_t)got);
  fputc('"', to);
  for (size_t i = 0; i < length; i++)
    fputc((unsigned char)text[i] < ' ' ? '?' : text[i], to);
  fputs(length == (size_t)got ? "\"…" : "\"", to);
}

static void show_real(FILE *to, const char *p, size_t n) {
  if (n == sizeof(float)) {
    float v;
    memcpy(&v, p, n);
    fprintf(to, "%g", (double)v);
  } else if (n == sizeof(double)) {
    double v;
    memcpy(&v, p, n);
    fprintf(to, "%g", v);
  } else {
    long double v;
    memcpy(&v, p, n);
    fprintf(to, "%Lg", v);
  }
}

// kind: see fm__local_kind in fermata.h
static void show(FILE *to, const record *r, const char *p) {
  size_t n = r->end - r->at;
  void *pointer;
  fprintf(to, "%s = ", r->name);
  switch (r->kind) {
  case 'i':
    fprintf(to, "%lld", (long long)signed_at(p, n));
    return;
  case 'u':
    fprintf(to, "%llu", (unsigned long long)unsigned_at(p, n));
    return;
  case 'f':
    show_real(to, p, n);
    return;
  case 's':
  case 'p':
    memcpy(&pointer, p, n);
    if (r->kind == 's')
      show_text(to, pointer);
    else
      fprintf(to, "%p", pointer);
    return;
  default:
    fprintf(to, "{%zu bytes}", n);
  }
}

void fm__locals_print(FILE *to, fm__runtime *d, const fm_node *a) {
  const fm__locals *s =
      a->word & FM__EXTRAS ? fm__extra_of(d, a)->locals : NULL;
  const char *before = " [";
  if (!s)
    return;
  fm__pthread_lock(&local_records.lock);
  for (record *r = local_records.first; r && r->end <= s->room; r = r->next)
    if (memcmp(s->values + r->at, initial_of(r), r->end - r->at)) {
      fputs(before, to);
      show(to, r, s->values + r->at);
      before = ", ";
    }
  pthread_mutex_unlock(&local_records.lock);
  if (*before == ',')
    fputc(']', to);
}
