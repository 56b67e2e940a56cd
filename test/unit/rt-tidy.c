// Free lists of nodes and frames that are in disorder are sorted by address; nothing is lost; lists that are short, or in order either way,
// stay as they are.
#include "rt.h"

enum { MANY = 50000 };

static fm_node *nodes[MANY];
static fm_frame *frames[MANY];

FRAME(small, int, int n;)
static void small__fm_resume(fm_domain *c, fm_frame *h) { (void)c, (void)h; }
DESCRIBE(small, 1)

// Both lists then have n elements or some more, of which the one freed last comes first.
static void fill(fm__runtime *d, int n, int step) {
  for (int i = 0; i < n; i++) {
    frames[i] = START(small, .n = i);
    nodes[i] = fm__node_new(d, &d->host, frames[i]);
  }
  for (long i = 0; i < n; i++) {
    fm__frame_free(&d->c, frames[i * step % n]);
    fm__to_idle(d, nodes[i * step % n]);
  }
}

typedef struct counts {
  int nodes, frames;
} counts;

static counts count(fm__runtime *d, bool *sorted) {
  size_t k = fm__frame_class(&small__fm_code);
  int n = 0, m = 0;
  *sorted = true;
  for (fm_node *a = d->idle; a; a = a->link, n++)
    *sorted &= !a->link || a < a->link;
  for (fm_frame *f = d->c.free[k], *next; f; f = next, m++) {
    fm__unpoison(f, k * FM_GRAIN);
    next = f->parent;
    fm__poison(f, k * FM_GRAIN);
    *sorted &= !next || f < next;
  }
  return (counts){ n, m };
}

static void check(int n, int step, bool sorts) {
  fm__runtime *d = fm__runtime_of(fm__here());
  bool sorted;
  fill(d, n, step);
  counts before = count(d, &sorted);
  assert(before.nodes >= n && before.nodes < n + 64);
  assert(before.frames >= n && before.frames < n + 64);
  d->tidy_at = 0;
  fm__tidy(d);
  counts after = count(d, &sorted);
  assert(after.nodes == before.nodes && after.frames == before.frames);
  assert(sorted == sorts);
  assert((d->tidy_at > d->serial) == sorts);
  fm__runtime_free(d);
}

int main(void) {
  check(MANY, 1, false);       // last in, first out: in order
  check(MANY, MANY - 1, false); // the other way round
  check(MANY, 7919, true);
  check(1000, 7919, false);
}
