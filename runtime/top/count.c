// count.c: how many turns each activity takes, and how long they last, while somebody watches.
//
// With FM__COUNT in d->attention the loop's slow path takes the turns, between fm__counts_turn and
// fm__counts_over, as it does for a trace. A counted turn costs some 50 nanoseconds, and more if
// the domain then waits; a switch costs 3. So a domain counts only as long as this costs some
// thousandths of the time: every 50 milliseconds or so the server grants it GRANT nanoseconds of
// such costs, and a domain that has used them counts no more until the next grant. A domain that
// takes less than that (40,000 turns a second, 6,600 with a wait after each) has all of its turns
// counted. Of others the figures are those of the counted time, scaled to all of it. The server's
// period varies a little, so that it does not fall into step with the program. The first turns
// after a grant are left out, unless the domain slept: the server may just have taken the processor
// from it, and timers have come meanwhile.
//
// The time of a turn is real time, with the loop's own work before it: the end of a turn is the
// beginning of the next one, unless the domain has been idle in between. Turns inside a turn (spawn
// now) count for the inner activity alone.
//
// The table is hashed by the activity's number: numbers are given out in order, so that neighbours
// are neighbours. An activity that ends leaves the table; so does one that a shot has not seen.
#include "top/top.h"

#include <string.h>

enum { GRANT = 100000, TURN = 50, WAIT = 250 };        // nanoseconds
enum { FIRST = 256, MOST = 1 << 22, LEFT_OUT = 1100 }; // entries; turns
static const uint64_t SPAN = 200000000; // least time over which rates are taken

typedef struct Entry {
  uint64_t number;    // 0: free
  uint64_t turns, ns; // since the last collection
  fm__top_rates sum;  // as of the last collection
  uint32_t round;     // of the last shot that has seen it
} Entry;

typedef struct fm__counts {
  Entry *entries;
  size_t size, used; // size: a power of two
  uint64_t running,
      last; // the activity whose turn it is, or 0; when its time began, or 0
  uint64_t turns, ns; // of the domain, since the last collection
  fm__top_rates sum;
  uint64_t collected; // when
  uint64_t covered;   // nanoseconds since then in which turns were counted
  bool paused;        // a grant was used up since then
  int left_out;       // turns that are left out, before the counted time begins
  uint32_t round;     // number of the shot
  double scale; // of the last collection: all the time by the counted time
  double part;  // the part of the time that was counted
  uint64_t
      span; // of the collection under way: the counted time; 0: none is under way
} fm__counts;

// ---- the table ----
static Entry *find(const fm__counts *c, uint64_t number) {
  size_t i = number & (c->size - 1);
  while (c->entries[i].number && c->entries[i].number != number)
    i = (i + 1) & (c->size - 1);
  return &c->entries[i];
}

static Entry *table_new(size_t size) {
  Entry *t = fm__alloc(size * sizeof *t);
  if (t)
    memset(t, 0, size * sizeof *t);
  return t;
}

// Without those that the last shot has not seen, if `seen`.
static void rebuild(fm__counts *c, size_t size, bool seen) {
  Entry *old = c->entries;
  size_t n = c->size;
  Entry *fresh = table_new(size);
  if (!fresh)
    return;
  c->entries = fresh;
  c->size = size;
  c->used = 0;
  for (size_t i = 0; i < n; i++)
    if (old[i].number && (!seen || old[i].round == c->round)) {
      *find(c, old[i].number) = old[i];
      c->used++;
    }
  fm__free(old);
}

// NULL: the table is full.
static Entry *entry_of(fm__counts *c, uint64_t number) {
  Entry *e = find(c, number);
  if (fm__likely(e->number))
    return e;
  if (c->used >= c->size / 2) {
    if (c->size < MOST)
      rebuild(c, c->size * 2, false);
    if (c->used >= c->size / 2)
      return NULL;
    e = find(c, number);
  }
  *e = (Entry){ .number = number };
  c->used++;
  return e;
}

// The entries after it move up, where their search would otherwise end too early.
static void leave(fm__counts *c, Entry *e) {
  size_t mask = c->size - 1;
  size_t hole = (size_t)(e - c->entries);
  for (size_t i = (hole + 1) & mask; c->entries[i].number; i = (i + 1) & mask) {
    size_t home = c->entries[i].number & mask;
    if (((i - home) & mask) < ((i - hole) & mask))
      continue;
    c->entries[hole] = c->entries[i];
    hole = i;
  }
  c->entries[hole].number = 0;
  c->used--;
}

// ---- turns ----
static Entry *credit(fm__counts *c, uint64_t number, uint64_t ns) {
  Entry *e = entry_of(c, number);
  c->ns += ns;
  if (e)
    e->ns += ns;
  return e;
}

// Time counts from now on, if it does not yet.
static inline void open_window(fm__runtime *d, fm__counts *c, uint64_t now) {
  if (fm__likely(atomic_load_explicit(&d->viewed.opened, memory_order_relaxed)))
    c->left_out = 0;
  else if (!c->left_out)
    atomic_store_explicit(&d->viewed.opened, now, memory_order_relaxed);
}

uint64_t fm__counts_turn(fm__runtime *d, const fm_node *a) {
  fm__counts *c = d->viewed.counts;
  if (!c)
    return 0;
  uint64_t before = c->running;
  uint64_t now = before || !c->last ? fm__clock() : c->last;
  if (before && !c->left_out)
    credit(c, before, now - c->last);
  open_window(d, c, now);
  c->running = fm__generation(a);
  c->last = now;
  return before;
}

// The grant is used up: turns are fast again.
static FM_COLD void close_window(fm__runtime *d, fm__counts *c, uint64_t now) {
  uint64_t opened =
      atomic_exchange_explicit(&d->viewed.opened, 0, memory_order_relaxed);
  if (opened && opened < now)
    c->covered += now - opened;
  c->paused = true;
  c->left_out = LEFT_OUT;
  c->last = 0;
  atomic_fetch_and(&d->attention, ~(unsigned)FM__COUNT);
}

// false: nothing is left.
static bool spend(fm__runtime *d, int ns) {
  int left = atomic_load_explicit(&d->viewed.quota, memory_order_relaxed) - ns;
  atomic_store_explicit(&d->viewed.quota, left, memory_order_relaxed);
  return left >= 0;
}

static bool has_ended(const fm_node *a, uint64_t number) {
  return fm__generation(a) != number || a->word & FM__ENDED;
}

static void
count_turn(fm__counts *c, const fm_node *a, uint64_t number, uint64_t ns) {
  Entry *e = credit(c, number, ns);
  c->turns++;
  if (!e)
    return;
  e->turns++;
  if (has_ended(a, number))
    leave(c, e);
}

void fm__counts_over(fm__runtime *d,
                     const fm_node *a,
                     uint64_t number,
                     uint64_t before) {
  fm__counts *c = d->viewed.counts;
  if (!c || c->running != number)
    return;
  uint64_t now = fm__clock();
  if (c->left_out)
    c->left_out--;
  else
    count_turn(c, a, number, now - c->last);
  c->running = before;
  c->last = now;
  if (fm__unlikely(!spend(d, TURN)) && !before)
    close_window(d, c, now);
}

void fm__counts_idle(fm__runtime *d) {
  fm__counts *c = d->viewed.counts;
  if (!c)
    return;
  open_window(d, c, c->last);
  c->last = 0;
  spend(d, WAIT);
}

// ---- grants ----
void fm__counts_grant(fm__runtime *d) {
  uint64_t none = 0;
  if (!atomic_load(&d->viewed.counted))
    return;
  atomic_store_explicit(&d->viewed.quota, GRANT, memory_order_relaxed);
  if (atomic_load(&d->sleeping)) // so it has had no turn for some time
    atomic_compare_exchange_strong(&d->viewed.opened, &none, fm__clock());
  atomic_fetch_or(&d->attention, FM__COUNT);
}

void fm__counts_begin(fm__runtime *d) {
  fm__counts *c = d->viewed.counts;
  if (c || !(c = fm__alloc(sizeof *c)))
    return;
  *c = (fm__counts){ .entries = table_new(FIRST), .size = FIRST, .scale = 1 };
  if (!c->entries) {
    fm__free(c);
    return;
  }
  c->collected = fm__clock();
  d->viewed.counts = c;
  atomic_store(&d->viewed.opened, 0);
  atomic_store(&d->viewed.quota, GRANT);
  atomic_store(&d->viewed.counted, true);
  atomic_fetch_or(&d->attention, FM__COUNT);
}

void fm__counts_free(fm__runtime *d) {
  fm__counts *c = d->viewed.counts;
  atomic_store(&d->viewed.counted, false);
  atomic_fetch_and(&d->attention, ~(unsigned)FM__COUNT);
  if (!c)
    return;
  d->viewed.counts = NULL;
  fm__free(c->entries);
  fm__free(c);
}

// ---- collecting ----
static uint64_t covered(fm__runtime *d, fm__counts *c, uint64_t now) {
  uint64_t opened = atomic_load(&d->viewed.opened);
  uint64_t sum = c->covered;
  if (opened && opened < now)
    sum += now - opened;
  c->covered = 0;
  // the next turn, or the next wait, opens it again
  atomic_store(&d->viewed.opened, 0);
  return sum;
}

static void
add_up(const fm__counts *c, fm__top_rates *r, uint64_t turns, uint64_t ns) {
  double seconds = (double)c->span / 1e9;
  r->rate = (double)turns / seconds;
  r->load = (double)ns / 1e9 / seconds;
  r->turns += (double)turns * c->scale;
  r->ns += (double)ns * c->scale;
}

// If all turns were counted, the figures are exact, whenever the server's grants came.
static void begin_collection(fm__runtime *d, fm__counts *c, uint64_t now) {
  uint64_t elapsed = now - c->collected;
  uint64_t counted = covered(d, c, now);
  if (!c->paused)
    counted = elapsed;
  c->span = counted ? counted : 1;
  c->scale = counted ? (double)elapsed / (double)counted : 0;
  c->part = elapsed ? (double)counted / (double)elapsed : 1;
  add_up(c, &c->sum, c->turns, c->ns);
  c->turns = c->ns = 0;
  c->collected = now;
  c->paused = !(atomic_load(&d->attention) & FM__COUNT);
}

// Two viewers may look shortly after each other: then the rates stay as they are.
void fm__counts_collect(fm__runtime *d, uint64_t now, fm__top_shot *s) {
  fm__counts *c = d->viewed.counts;
  s->counted = 1;
  if (!c)
    return;
  c->round++;
  c->span = 0;
  if (now - c->collected >= SPAN)
    begin_collection(d, c, now);
  s->rate = c->sum.rate;
  s->load = c->sum.load;
  s->turns = c->sum.turns;
  s->ns = c->sum.ns;
  s->counted = c->part ? c->part : 1;
}

void fm__counts_of(fm__runtime *d, uint64_t number, fm__top_rates *r) {
  fm__counts *c = d->viewed.counts;
  *r = (fm__top_rates){ 0 };
  Entry *e = c ? find(c, number) : NULL;
  if (!e || !e->number)
    return;
  e->round = c->round;
  if (c->span) {
    add_up(c, &e->sum, e->turns, e->ns);
    e->turns = e->ns = 0;
  }
  *r = e->sum;
}

void fm__counts_collected(fm__runtime *d, size_t rows) {
  fm__counts *c = d->viewed.counts;
  size_t size = FIRST;
  if (!c || c->used <= rows + rows / 2 + FIRST / 4)
    return;
  while (size / 2 <= rows)
    size *= 2;
  rebuild(c, size, true);
}
