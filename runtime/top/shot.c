// shot.c: a domain copies its tree, on its own thread and between two turns. Everything that takes
// time is left to the server: the copy is an array in the order of the tree, with pointers to
// static texts where the program has such. Only names that it may change are copied.
//
// A copy of 100,000 activities takes some ten milliseconds. The server asks again only after a
// hundred times as long (requests.c).
#include "top/top.h"
#include "domains/starts.h"
#include "report/objects.h"
#include "wait/park.h"

#include <string.h>

enum { FIRST = 256, CHUNK = 16 << 10, LONGEST = 400 };

struct fm__top_chunk {
  struct fm__top_chunk *next;
  size_t used, room;
  char text[];
};

// ---- memory ----
// The text may be cut; NULL: out of memory.
static const char *copy(fm__top_shot *s, const char *text) {
  size_t n = strnlen(text, LONGEST) + 1;
  struct fm__top_chunk *c = s->text;
  if (!c || c->room - c->used < n) {
    if (!(c = fm__alloc(sizeof *c + CHUNK)))
      return NULL;
    *c = (struct fm__top_chunk){ .next = s->text, .room = CHUNK };
    s->text = c;
  }
  char *to = c->text + c->used;
  memcpy(to, text, n - 1);
  to[n - 1] = '\0';
  c->used += n;
  return to;
}

// false: out of memory.
static bool make_room(fm__top_shot *s) {
  if (s->count < s->room)
    return true;
  size_t room = s->room ? s->room * 2 : FIRST;
  fm__top_row *rows = s->rows ? fm__realloc(s->rows, room * sizeof *rows)
                              : fm__alloc(room * sizeof *rows);
  if (!rows)
    return false;
  s->rows = rows;
  s->room = room;
  return true;
}

void fm__top_shot_free(fm__top_shot *s) {
  for (struct fm__top_chunk *c = s->text, *next; c; c = next) {
    next = c->next;
    fm__free(c);
  }
  fm__free(s->rows);
  fm__free(s);
}

// ---- one activity ----
// Between two turns nothing runs.
static uint8_t state_of(fm__runtime *d, const fm_node *a) {
  fm_state s = fm__state_of(d, a);
  return s == FM_STATE_RUNNING ? FM__TOP_READY : (uint8_t)s;
}

static void note_wait(fm__runtime *d, fm__top_shot *s, fm__top_row *r) {
  char room[256];
  const fm_node *a = r->node;
  const char *wants = fm__wanted(d, a, room, sizeof room);
  r->wants = wants == room ? copy(s, room) : wants;
  if (fm__waits_kind(a) == FM__WOBJECT && !fm__proxy(a))
    r->link = fm__object_queue(a, &r->fills, &r->filled, &r->cap);
}

static void note_place(fm__runtime *d, fm__top_row *r) {
  fm__place at = fm__place_of(d, r->node);
  r->function = at.function;
  r->file = at.file;
  r->line = at.line;
}

static void note_counts(fm__runtime *d, fm__top_row *r) {
  fm__top_rates rates;
  fm__counts_of(d, r->number, &rates);
  r->rate = rates.rate;
  r->load = rates.load;
  r->turns = rates.turns;
  r->ns = rates.ns;
}

static void describe(fm__runtime *d, fm__top_shot *s, const fm_node *a) {
  fm__top_row *r = &s->rows[s->count];
  uint64_t word = a->word;
  *r = (fm__top_row){ .number = fm__generation(a), .node = a };
  r->state = state_of(d, a);
  r->kind = fm__node_kind(a);
  r->cancelled = word & FM__CANCELLED;
  r->held = word & FM__HELD;
  r->stopped = word & FM__STOPPED;
  r->name = fm__name_of(d, a);
  if (word & FM__EXTRAS)
    r->name = copy(s, r->name);
  if (r->state != FM__TOP_OPEN && r->state != FM__TOP_ENDED)
    note_place(d, r);
  if (r->state == FM__TOP_WAITS)
    note_wait(d, s, r);
  note_counts(d, r);
}

// ---- the tree ----
// `at` is the row before; its depth leads to the parent of a row at `depth`.
static uint32_t parent_of(const fm__top_shot *s, uint32_t at, int depth) {
  while (at != FM__TOP_NONE && s->rows[at].depth >= (uint32_t)depth)
    at = s->rows[at].parent;
  return at;
}

static void walk(fm__runtime *d, fm__top_shot *s) {
  int depth = 0;
  for (fm_node *a = &d->host; (a = fm__tree_next(&d->host, a, &depth));) {
    s->complete = s->count < FM__TOP_NONE - 1 && make_room(s);
    if (!s->complete)
      return;
    describe(d, s, a);
    fm__top_row *r = &s->rows[s->count];
    r->depth = (uint32_t)depth;
    r->parent =
        s->count ? parent_of(s, (uint32_t)s->count - 1, depth) : FM__TOP_NONE;
    s->count++;
  }
}

fm__top_shot *fm__top_shot_take(fm__runtime *d) {
  fm__top_shot *s = fm__alloc(sizeof *s);
  if (!s)
    return NULL;
  *s = (fm__top_shot){
    .references = 1, .domain = d->life, .at = fm__clock(), .complete = true
  };
  s->service = d->service;
  s->starts = d->starts ? atomic_load(&d->starts->length) : 0;
  fm__counts_begin(d);
  fm__counts_collect(d, s->at, s);
  walk(d, s);
  fm__counts_collected(d, s->count);
  s->cost = fm__clock() - s->at;
  return s;
}
