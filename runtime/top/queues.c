// queues.c: what follows from the rows of a shot: how many rows are below each, how many activities
// have each state, how many wait in each queue. The server computes it, in its own time.
//
// An activity in a queue has a link to the next one, and the last one to the queue itself. So each
// row leads to its queue, over the rows of those that wait after it. All rows that were passed on
// the way get the answer: each is passed once.
#include "top/top.h"
#include "wait/park.h"

#include <string.h>

// ---- subtrees ----
static void count_below(fm__top_shot *s) {
  for (size_t i = s->count; i-- > 0;) {
    fm__top_row *r = &s->rows[i];
    s->states[r->state]++;
    if (r->parent == FM__TOP_NONE)
      continue;
    fm__top_row *p = &s->rows[r->parent];
    p->below += r->below + 1;
    p->children++;
  }
}

// ---- a table: addresses of nodes and queues ----
typedef struct Entry {
  const void *key; // NULL: free
  uint32_t value;
} Entry;
typedef struct Table {
  Entry *entries;
  size_t size; // a power of two
} Table;

static bool table_init(Table *t, size_t n) {
  t->size = 16;
  while (t->size < 2 * n)
    t->size *= 2;
  t->entries = fm__alloc(t->size * sizeof *t->entries);
  if (t->entries)
    memset(t->entries, 0, t->size * sizeof *t->entries);
  return t->entries != NULL;
}

static Entry *find(const Table *t, const void *key) {
  size_t i = ((uintptr_t)key >> 4) * 0x9e3779b97f4a7c15u >> 24 & (t->size - 1);
  while (t->entries[i].key && t->entries[i].key != key)
    i = (i + 1) & (t->size - 1);
  return &t->entries[i];
}

// ---- queues ----
// Those that wait in a queue, by node: the value is the row.
static size_t enter_waiters(const fm__top_shot *s, Table *t) {
  size_t n = 0;
  for (size_t i = 0; i < s->count; i++)
    if (s->rows[i].link) {
      *find(t, s->rows[i].node) = (Entry){ s->rows[i].node, (uint32_t)i };
      n++;
    }
  return n;
}

// The end of the queue that row i is in; NULL: it is not known, because what comes next is no
// activity of the tree.
static const fm_node *
end_of(fm__top_shot *s, const Table *waiters, size_t i, size_t most) {
  const fm_node *at = s->rows[i].link;
  while (at && !fm__is_end(at) && most--) {
    const Entry *e = find(waiters, at);
    at = e->key ? s->rows[e->value].link : NULL;
  }
  if (at && !fm__is_end(at))
    at = NULL;
  for (size_t k = i;;) { // shorter for those that come later
    const fm_node *next = s->rows[k].link;
    s->rows[k].link = at;
    const Entry *e = next && !fm__is_end(next) ? find(waiters, next) : NULL;
    if (!e || !e->key)
      return at;
    k = e->value;
  }
}

// The first waiter of each queue holds the count; the last one knows how full a channel is.
static void
count_waiters(fm__top_shot *s, const Table *waiters, Table *queues) {
  for (size_t i = 0; i < s->count; i++) {
    fm__top_row *r = &s->rows[i];
    const fm_node *end = r->link ? end_of(s, waiters, i, waiters->size) : NULL;
    if (!end)
      continue;
    Entry *e = find(queues, end);
    if (!e->key)
      *e = (Entry){ end, (uint32_t)i };
    fm__top_row *first = &s->rows[e->value];
    first->queue++;
    if (r->fills) {
      first->fills = true;
      first->filled = r->filled;
      first->cap = r->cap;
    }
  }
}

static void tell_all(fm__top_shot *s, const Table *queues) {
  for (size_t i = 0; i < s->count; i++) {
    fm__top_row *r = &s->rows[i];
    const Entry *e = r->link ? find(queues, r->link) : NULL;
    if (!e || !e->key)
      continue;
    const fm__top_row *first = &s->rows[e->value];
    r->queue = first->queue;
    r->fills = first->fills;
    r->filled = first->filled;
    r->cap = first->cap;
  }
}

static void measure_queues(fm__top_shot *s) {
  Table waiters = { 0 };
  Table queues = { 0 };
  if (table_init(&waiters, s->count) &&
      table_init(&queues, enter_waiters(s, &waiters))) {
    count_waiters(s, &waiters, &queues);
    tell_all(s, &queues);
  }
  fm__free(waiters.entries);
  fm__free(queues.entries);
}

void fm__top_shot_finish(fm__top_shot *s) {
  count_below(s);
  measure_queues(s);
}
