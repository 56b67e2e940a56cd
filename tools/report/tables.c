// tables.c: the tables of a report: for what and where activities waited, the longest turns, and
// the gaps between turns by the lines around them.
#include "report.h"

#include <stdlib.h>

typedef struct Item { // of a row
  uint32_t row;
  int32_t who;
  uint64_t ns;
} Item;
typedef struct Items {
  LIST(Item) list;
} Items;

static int by_time(const void *a, const void *b) {
  const Item *p = a;
  const Item *q = b;
  if (p->row != q->row)
    return p->row < q->row ? -1 : 1;
  return p->ns < q->ns ? -1 : p->ns > q->ns;
}

static int by_who(const void *a, const void *b) {
  const Item *p = a;
  const Item *q = b;
  if (p->row != q->row)
    return p->row < q->row ? -1 : 1;
  return p->who < q->who ? -1 : p->who > q->who;
}

static void sort(Items *items, int (*compare)(const void *, const void *)) {
  if (items->list.count)
    qsort(items->list.at, items->list.count, sizeof *items->list.at, compare);
}

// Where the items of the row that begins at `from` end.
static size_t row_end(const Items *items, size_t from) {
  size_t end = from;
  while (end < items->list.count &&
         items->list.at[end].row == items->list.at[from].row)
    end++;
  return end;
}

// ---- waits ----
static uint32_t wait_row(Tables *t, Table *rows, const Wait *w) {
  uint64_t key = (uint64_t)(uint32_t)(w->wait + 1) << 30 ^
                 (uint64_t)(uint32_t)(w->place + 1);
  uint32_t *v = table_at(rows, key);
  if (*v == UINT32_MAX) {
    WaitRow row = { .kind = w->kind, .wait = w->wait, .place = w->place };
    *v = (uint32_t)t->waits.count;
    PUSH(&t->waits, row);
  }
  return *v;
}

static int by_total(const void *a, const void *b) {
  const WaitRow *p = a;
  const WaitRow *q = b;
  if (p->total != q->total)
    return p->total > q->total ? -1 : 1;
  return p->count > q->count ? -1 : p->count < q->count;
}

static void make_waits(Tables *t, const Model *m) {
  Table rows = { 0 };
  Items items = { 0 };
  for (size_t i = 0; i < m->waits.count; i++) {
    const Wait *w = &m->waits.at[i];
    Item item = { .row = wait_row(t, &rows, w), .ns = w->ns };
    WaitRow *row = &t->waits.at[item.row];
    row->count++;
    row->total += w->ns;
    PUSH(&items.list, item);
  }
  sort(&items, by_time);
  for (size_t from = 0, end; from < items.list.count; from = end) {
    end = row_end(&items, from);
    WaitRow *row = &t->waits.at[items.list.at[from].row];
    row->median = items.list.at[from + (end - from) / 2].ns;
    row->longest = items.list.at[end - 1].ns;
  }
  if (t->waits.count)
    qsort(t->waits.at, t->waits.count, sizeof *t->waits.at, by_total);
  table_free(&rows);
  free(items.list.at);
}

// ---- the longest turns ----
static void make_longest(Tables *t, const Model *m) {
  for (size_t i = 0; i < m->turns.count; i++) {
    size_t at = t->longest_count;
    while (at && m->turns.at[t->longest[at - 1]].length < m->turns.at[i].length)
      at--;
    if (at == MOST_LONGEST)
      continue;
    if (t->longest_count < MOST_LONGEST)
      t->longest_count++;
    memmove(&t->longest[at + 1],
            &t->longest[at],
            (t->longest_count - at - 1) * sizeof *t->longest);
    t->longest[at] = (uint32_t)i;
  }
}

// ---- gaps ----
static uint32_t risk_row(Tables *t, Table *rows, const Turn *turn) {
  uint64_t key = (uint64_t)(uint32_t)(turn->from + 1) << 30 ^
                 (uint64_t)(uint32_t)(turn->place + 1);
  uint32_t *v = table_at(rows, key);
  if (*v == UINT32_MAX) {
    RiskRow row = { .before = turn->from,
                    .after = turn->place,
                    .who = { UNKNOWN, UNKNOWN, UNKNOWN } };
    *v = (uint32_t)t->risks.count;
    PUSH(&t->risks, row);
  }
  return *v;
}

static void collect_gaps(Tables *t, Items *items, const Model *m) {
  Table rows = { 0 };
  for (size_t i = 0; i < m->turns.count; i++) {
    const Turn *turn = &m->turns.at[i];
    if (!(turn->flags & T_GAP))
      continue;
    Item item = { risk_row(t, &rows, turn), turn->by, turn->gap };
    RiskRow *row = &t->risks.at[item.row];
    row->gaps++;
    row->interrupted += (turn->flags & T_INTERRUPTED) != 0;
    row->written += (turn->flags & T_WRITTEN) != 0;
    PUSH(&items->list, item);
  }
  table_free(&rows);
}

// The activities that interrupted most.
static void rank_who(RiskRow *row, const Item *items, size_t n) {
  uint64_t counts[MOST_WHO] = { 0 };
  for (size_t from = 0, end; from < n; from = end) {
    for (end = from; end < n && items[end].who == items[from].who;)
      end++;
    size_t at = MOST_WHO;
    while (at && end - from > counts[at - 1])
      at--;
    if (items[from].who == UNKNOWN || at == MOST_WHO)
      continue;
    memmove(&counts[at + 1], &counts[at], (MOST_WHO - at - 1) * sizeof *counts);
    memmove(&row->who[at + 1],
            &row->who[at],
            (MOST_WHO - at - 1) * sizeof *row->who);
    counts[at] = end - from;
    row->who[at] = items[from].who;
  }
}

// What was written comes first, then what was interrupted most often, then the shortest gaps.
static int by_risk(const void *a, const void *b) {
  const RiskRow *p = a;
  const RiskRow *q = b;
  if (p->written != q->written)
    return p->written > q->written ? -1 : 1;
  if (p->interrupted != q->interrupted)
    return p->interrupted > q->interrupted ? -1 : 1;
  return p->median < q->median ? -1 : p->median > q->median;
}

static void make_risks(Tables *t, const Model *m) {
  Items items = { 0 };
  collect_gaps(t, &items, m);
  sort(&items, by_time);
  for (size_t from = 0, end; from < items.list.count; from = end) {
    end = row_end(&items, from);
    RiskRow *row = &t->risks.at[items.list.at[from].row];
    row->shortest = items.list.at[from].ns;
    row->median = items.list.at[from + (end - from) / 2].ns;
    row->longest = items.list.at[end - 1].ns;
  }
  sort(&items, by_who);
  for (size_t from = 0, end; from < items.list.count; from = end) {
    end = row_end(&items, from);
    rank_who(&t->risks.at[items.list.at[from].row],
             &items.list.at[from],
             end - from);
  }
  if (t->risks.count)
    qsort(t->risks.at, t->risks.count, sizeof *t->risks.at, by_risk);
  free(items.list.at);
}

void tables_make(Tables *t, const Model *m) {
  make_waits(t, m);
  make_longest(t, m);
  make_risks(t, m);
}

void tables_free(Tables *t) {
  free(t->waits.at);
  free(t->risks.at);
}
