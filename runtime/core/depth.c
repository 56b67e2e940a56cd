// depth.c: recursions that do not end. Async calls that have no room on the C stack move to the
// heap, so nothing else stops them before all memory is used. When the frames of a domain have
// grown by a certain amount, the calls of the activity that runs are counted; too many end the
// program with a report:
//
//     FERMATA_DEPTH=N|off   how many calls of one activity may wait for each other: about N
//
// Without the variable it is ten million calls, or a quarter of the machine's memory in frames of
// one activity. A program without such a recursion counts some calls now and then, while its frames
// need more memory than ever before.
#include "fm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEP = 64 << 20, LEAST_STEP = 4 << 10, SMALL_FRAME = 32 };
enum { MOST_CALLS = 10000000, SHARE = 4 };

typedef struct Limits {
  uint64_t calls, bytes;
  size_t step; // frames grow by so much between two counts
} Limits;

static Limits read_limits(void) {
  const char *value = fm__setting("FERMATA_DEPTH");
  long pages = sysconf(_SC_PHYS_PAGES);
  long page = sysconf(_SC_PAGESIZE);
  Limits l = { MOST_CALLS, UINT64_MAX, STEP };
  char *end;
  if (!value) {
    if (pages > 0 && page > 0)
      l.bytes = (uint64_t)pages * (uint64_t)page / SHARE;
    return l;
  }
  if (strcmp(value, "off") == 0)
    return (Limits){ UINT64_MAX, UINT64_MAX, SIZE_MAX };
  errno = 0;
  l.calls = strtoull(value, &end, 10);
  if (*value < '0' || *value > '9' || *end || errno || !l.calls)
    fm__bad_setting("FERMATA_DEPTH", value, "off or a number of calls");
  if (l.calls < STEP / SMALL_FRAME)
    l.step = (size_t)l.calls * SMALL_FRAME;
  if (l.step < LEAST_STEP)
    l.step = LEAST_STEP;
  return l;
}

// ---- counting ----
typedef struct Count {
  uint64_t calls, bytes;
} Count;

static void add(Count *n, const fm_frame *f) {
  for (; f; f = f->parent) {
    n->calls++;
    n->bytes += f->code->size;
  }
}

// Frames that are being made are not linked to the activity's yet.
static Count count(fm__runtime *d) {
  Count n = { 0, 0 };
  add(&n, d->c.leaf ? d->c.leaf : d->c.top);
  add(&n, d->current->leaf);
  return n;
}

// The function of the program that stands there again soon.
static const fm_frame *recurring(const fm_frame *f) {
  enum { NEAR = 64 };
  for (int i = 0; f && i < NEAR; f = f->parent, i++) {
    const fm_frame *again = f->parent;
    for (int k = 0; again && k < NEAR && again->code != f->code; k++)
      again = again->parent;
    if (again && !(f->code->lands & FM_OF_LIBRARY))
      return again; // which has called something, so its line is that of a call
  }
  return NULL;
}

static FM_COLD _Noreturn void report(fm__runtime *d, Count n) {
  const fm_frame *f = recurring(d->c.leaf ? d->c.leaf : d->c.top);
  char name[256] = "";
  char text[512];
  if (!f) // few of them are being made
    f = recurring(d->current->leaf);
  if (f && f->code->lines && f->state < f->code->nstates)
    fm__format(name,
               sizeof name,
               " of %s (%s:%u)",
               f->code->name,
               f->code->file,
               f->code->lines[f->state]);
  fm__format(
      text,
      sizeof text,
      "a recursion%s is %llu calls deep and has %llu MB of frames: "
      "FERMATA_DEPTH=N allows about N calls, FERMATA_DEPTH=off any number",
      name,
      (unsigned long long)n.calls,
      (unsigned long long)(n.bytes >> 20));
  fm__fatal(d, text);
}

void fm__depth_check(fm__runtime *d) {
  Limits l = read_limits();
  fm_node *a = d->current;
  d->depth_check =
      d->frame_bytes > SIZE_MAX - l.step ? SIZE_MAX : d->frame_bytes + l.step;
  if (!a || a == &d->host || a->word & FM__REGION || !a->leaf ||
      l.calls == UINT64_MAX)
    return;
  Count n = count(d);
  if (n.calls > l.calls || n.bytes > l.bytes)
    report(d, n);
}
