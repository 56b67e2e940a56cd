// figures.c: the figures of a report: how long turns are, how many children they have, how long the
// gaps between them, how large atomic sections and bursts. Each is a histogram; docs/report.md
// defines what is counted.
#include "report.h"

// 10, 18, 32, 56, 100 … nanoseconds: four bins in each power of ten.
static void make_edges(uint64_t *edges) {
  static const double steps[] = {
    1, 1.7782794100389228, 3.1622776601683795, 5.623413251903491
  };
  double decade = 10;
  for (size_t i = 0; i < EDGES; i++) {
    edges[i] = (uint64_t)(decade * steps[i % 4] + 0.5);
    if (i % 4 == 3)
      decade *= 10;
  }
}

// The bin of a value: the first one has all smaller values, the last one all larger ones.
static size_t bin_of(const uint64_t *lower, size_t bins, uint64_t value) {
  size_t low = 0;
  size_t high = bins;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (lower[middle] <= value)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void count_time(const Figures *f, uint64_t *bins, uint64_t ns) {
  bins[bin_of(f->edges, EDGES - 1, ns)]++;
}

static void count_value(uint64_t *bins, uint64_t n) {
  bins[n < VALUES ? n : VALUES - 1]++;
}

static void count_turn(Figures *f, const Model *m, const Turn *t) {
  bool once = !(t->flags & T_RECURRING);
  count_time(f, f->turns, t->length);
  if (once)
    count_time(f, f->turns_once, t->length);
  count_value(f->children, t->children);
  if (t->parent != UNKNOWN)
    count_value(f->of_parents, m->turns.at[t->parent].children);
  if (!(t->flags & T_GAP))
    return;
  count_time(f,
             t->flags & T_INTERRUPTED ? f->interrupted : f->uninterrupted,
             t->gap);
  if (t->flags & T_WRITTEN)
    count_time(f, f->written, t->gap);
  if (once)
    count_time(f, f->gaps_once, t->gap);
}

void figures_make(Figures *f, const Model *m) {
  make_edges(f->edges);
  for (uint64_t i = 0; i < VALUES; i++)
    f->values[i] = i;
  for (unsigned i = 0; i < POWERS; i++)
    f->powers[i] = (uint64_t)1 << i;
  for (size_t i = 0; i < m->turns.count; i++)
    count_turn(f, m, &m->turns.at[i]);
  for (size_t i = 0; i < m->atomics.count; i++) {
    count_time(f, f->atomic_length, m->atomics.at[i].length);
    count_value(f->atomic_activities, m->atomics.at[i].n);
  }
  for (size_t i = 0; i < m->bursts.count; i++) {
    count_time(f, f->burst_length, m->bursts.at[i].length);
    f->burst_turns[bin_of(f->powers, POWERS, m->bursts.at[i].n)]++;
  }
}
