// view.c: which rows of the shots a viewer sees, and in which order. The viewer gets a page of
// them, so 100,000 activities cost it no more than a screen of them.
//
//     tree   each row after its parent; siblings in the order of the key, of which turns, load and
//            time are those of the whole subtree. Rows below a folded node are left out. With a
//            filter, the rows that match and those above them.
//     flat   all rows that match, in the order of the key
//
// Rows are in the order of the tree already; siblings that are to be sorted become runs of one
// sorted array, and a walk with a stack of its own (a tree may be deeper than any other) takes them
// from there.
#define _GNU_SOURCE
#include "top/top.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const fm__top_key_names[FM__TOP_KEYS] = {
  "tree",  "number", "name", "state", "place", "wait",
  "turns", "load",   "time", "queue", "below",
};
const char *const fm__top_state_names[FM__TOP_STATES] = {
  "ready", "waits", "paused", "atomic", "ending", "ended", "open",
};

// ---- folded nodes ----
enum { MOST_FOLDS = 4096 };

static size_t fold_index(const fm__top_folds *f, fm__top_id id) {
  size_t i = 0;
  while (i < f->count &&
         (f->list[i].domain != id.domain || f->list[i].number != id.number))
    i++;
  return i;
}

static void add_fold(fm__top_folds *f, fm__top_id id) {
  if (f->count == MOST_FOLDS) // the oldest one goes
    memmove(f->list, f->list + 1, --f->count * sizeof *f->list);
  if (f->count == f->room) {
    size_t room = f->room ? 2 * f->room : 16;
    fm__top_id *list = f->list ? fm__realloc(f->list, room * sizeof *list)
                               : fm__alloc(room * sizeof *list);
    if (!list)
      return;
    f->list = list;
    f->room = room;
  }
  f->list[f->count++] = id;
}

void fm__top_fold(fm__top_folds *f, fm__top_id which, bool folded) {
  size_t i = fold_index(f, which);
  bool listed = i < f->count;
  if (listed && folded == f->all)
    f->list[i] = f->list[--f->count];
  else if (!listed && folded != f->all)
    add_fold(f, which);
}

void fm__top_fold_all(fm__top_folds *f, bool folded) {
  f->all = folded;
  f->count = 0;
}

// By row: whether it is folded.
static void
mark_folds(const fm__top_shot *s, const fm__top_folds *f, bool *to) {
  memset(to, f->all, s->count);
  for (size_t i = 0; i < f->count; i++)
    for (size_t k = 0; f->list[i].domain == s->domain && k < s->count; k++)
      if (s->rows[k].number == f->list[i].number)
        to[k] = !f->all;
}

// ---- what is known of each row of one shot ----
typedef struct Work {
  const fm__top_shot *shot;
  const fm__top_wish *wish;
  fm__top_seen *all; // by row
  bool *folded, *shown;
  uint32_t *order; // rows, sorted by parent and key
  uint32_t *first; // by row: where its children begin in `order`
} Work;

static bool contains(const char *text, const char *part) {
  return text && strcasestr(text, part);
}

static bool matches(const fm__top_row *r, const char *filter) {
  char place[280];
  if (!*filter)
    return true;
  snprintf(place, sizeof place, "%s:%u", r->file ? r->file : "", r->line);
  return contains(r->name, filter) || contains(r->function, filter) ||
         contains(place, filter) || contains(r->wants, filter) ||
         contains(fm__top_state_names[r->state], filter) ||
         (r->cancelled && contains("cancelled", filter)) ||
         (r->held && contains("paused", filter));
}

// Children come after their parents, so their sums are complete first.
static void sum_up(Work *w) {
  const fm__top_shot *s = w->shot;
  for (size_t i = 0; i < s->count; i++) {
    const fm__top_row *r = &s->rows[i];
    bool match = matches(r, w->wish->filter);
    w->shown[i] = match;
    w->all[i] = (fm__top_seen){ .shot = s,
                                .row = (uint32_t)i,
                                .folded = w->folded[i] && r->below,
                                .matches = match,
                                .rate = r->rate,
                                .load = r->load,
                                .ns = r->ns };
  }
  for (size_t i = s->count; i-- > 0;) {
    uint32_t p = s->rows[i].parent;
    if (p == FM__TOP_NONE)
      continue;
    w->all[p].rate += w->all[i].rate;
    w->all[p].load += w->all[i].load;
    w->all[p].ns += w->all[i].ns;
    w->shown[p] |= w->shown[i];
  }
}

// ---- order ----
static double number_for(const fm__top_seen *x, const fm__top_wish *wish) {
  const fm__top_row *r = &x->shot->rows[x->row];
  switch (wish->key) {
  case FM__BY_TURNS:
    return wish->flat ? r->rate : x->rate;
  case FM__BY_LOAD:
    return wish->flat ? r->load : x->load;
  case FM__BY_TIME:
    return wish->flat ? r->ns : x->ns;
  case FM__BY_QUEUE:
    return r->queue;
  case FM__BY_BELOW:
    return r->below;
  default:
    return (double)r->number;
  }
}

static int compare_texts(const char *x, const char *y) {
  return !x || !y ? (x != NULL) - (y != NULL) : strcmp(x, y);
}

static int
compare_rows(const fm__top_row *x, const fm__top_row *y, fm__top_key key) {
  int places = compare_texts(x->file, y->file);
  switch (key) {
  case FM__BY_NAME:
    return compare_texts(x->name, y->name);
  case FM__BY_STATE:
    return (int)x->state - (int)y->state;
  case FM__BY_PLACE:
    return places ? places : (x->line > y->line) - (x->line < y->line);
  case FM__BY_WAIT:
    return compare_texts(x->wants, y->wants);
  default:
    return 0;
  }
}

// Equal rows stay in the order of the tree.
static int compare(const fm__top_seen *x,
                   const fm__top_seen *y,
                   const fm__top_wish *wish) {
  const fm__top_row *rx = &x->shot->rows[x->row];
  const fm__top_row *ry = &y->shot->rows[y->row];
  int sign = wish->upwards ? 1 : -1;
  int texts = compare_rows(rx, ry, wish->key);
  if (texts)
    return texts * sign;
  double nx = number_for(x, wish);
  double ny = number_for(y, wish);
  bool ordered = wish->key >= FM__BY_TURNS || wish->key == FM__BY_NUMBER;
  if (ordered && nx != ny)
    return nx < ny ? -sign : sign;
  if (x->shot->domain != y->shot->domain)
    return x->shot->domain < y->shot->domain ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

static int by_parent_and_key(const void *x, const void *y, void *work) {
  const Work *w = work;
  uint32_t i = *(const uint32_t *)x;
  uint32_t k = *(const uint32_t *)y;
  uint32_t pi = w->shot->rows[i].parent + 1; // plain code first
  uint32_t pk = w->shot->rows[k].parent + 1;
  if (pi != pk)
    return pi < pk ? -1 : 1;
  return compare(&w->all[i], &w->all[k], w->wish);
}

static int by_key(const void *x, const void *y, void *wish) {
  return compare(x, y, wish);
}

// ---- rows that are seen ----
static bool see(fm__top_view *v, const fm__top_seen *x) {
  if (v->count == v->room) {
    size_t room = v->room ? 2 * v->room : 256;
    fm__top_seen *seen = v->seen ? fm__realloc(v->seen, room * sizeof *seen)
                                 : fm__alloc(room * sizeof *seen);
    if (!seen)
      return false;
    v->seen = seen;
    v->room = room;
  }
  v->seen[v->count++] = *x;
  return true;
}

static bool see_flat(fm__top_view *v, const Work *w) {
  for (size_t i = 0; i < w->shot->count; i++)
    if (w->all[i].matches && !see(v, &w->all[i]))
      return false;
  return true;
}

static bool see_in_order(fm__top_view *v, const Work *w) {
  for (size_t i = 0; i < w->shot->count;) {
    bool whole = w->shown[i] && !w->all[i].folded;
    if (w->shown[i] && !see(v, &w->all[i]))
      return false;
    i += whole ? 1 : w->shot->rows[i].below + 1;
  }
  return true;
}

// `order` has the children of each row in one run, first[row] … ; those of plain code come first.
static void sort_children(Work *w) {
  size_t n = w->shot->count;
  for (size_t i = 0; i < n; i++)
    w->order[i] = (uint32_t)i;
  qsort_r(w->order, n, sizeof *w->order, by_parent_and_key, w);
  for (size_t i = n; i-- > 0;) {
    uint32_t p = w->shot->rows[w->order[i]].parent;
    if (p != FM__TOP_NONE)
      w->first[p] = (uint32_t)i;
  }
}

// After row i: its first child; else the next sibling of it or of a row above. `at` is the place of
// the row in `order`, by row, from which the next sibling follows.
static bool see_sorted(fm__top_view *v, Work *w, uint32_t *at) {
  const fm__top_row *rows = w->shot->rows;
  size_t n = w->shot->count;
  sort_children(w);
  for (size_t i = 0; i < n; i++)
    at[w->order[i]] = (uint32_t)i;
  for (size_t k = 0; k < n;) {
    uint32_t i = w->order[k];
    if (w->shown[i] && !see(v, &w->all[i]))
      return false;
    if (w->shown[i] && !w->all[i].folded && rows[i].children) {
      k = w->first[i];
      continue;
    }
    // The run of siblings ends where the parent changes.
    for (;;) {
      k = at[i] + (size_t)1;
      if (k < n && rows[w->order[k]].parent == rows[i].parent)
        break;
      i = rows[i].parent;
      if (i == FM__TOP_NONE)
        return true;
    }
  }
  return true;
}

static bool look_at(fm__top_view *v, Work *w, const fm__top_folds *folds) {
  size_t n = w->shot->count ? w->shot->count : 1;
  uint32_t *numbers = fm__alloc(3 * n * sizeof *numbers);
  w->all = fm__alloc(n * sizeof *w->all);
  w->folded = fm__alloc(2 * n);
  bool ok = numbers && w->all && w->folded;
  if (ok) {
    w->shown = w->folded + n;
    w->order = numbers;
    w->first = numbers + n;
    mark_folds(w->shot, folds, w->folded);
    sum_up(w);
    ok = w->wish->flat                 ? see_flat(v, w)
         : w->wish->key == FM__BY_TREE ? see_in_order(v, w)
                                       : see_sorted(v, w, numbers + 2 * n);
  }
  fm__free(numbers);
  fm__free(w->all);
  fm__free(w->folded);
  return ok;
}

bool fm__top_look(fm__top_view *v,
                  fm__top_shot *const *shots,
                  size_t n,
                  const fm__top_wish *wish,
                  const fm__top_folds *folds) {
  v->count = 0;
  for (size_t i = 0; i < n; i++) {
    Work w = { .shot = shots[i], .wish = wish };
    if (!look_at(v, &w, folds))
      return false;
  }
  if (wish->flat && wish->key != FM__BY_TREE)
    qsort_r(v->seen, v->count, sizeof *v->seen, by_key, (void *)wish);
  return true;
}
