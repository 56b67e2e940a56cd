// read.c: the file of a trace: its head, its pieces in their order, and the cells of a piece. A
// file may be cut anywhere, or be written at this moment: whatever is whole is read. What is no
// trace at all draws a message.
#include "report.h"
#include "../fermata.h"

#include <errno.h>
#include <stdlib.h>

void *list_more(void *at, size_t *room, size_t size) {
  *room = *room ? 2 * *room : 64;
  return xrealloc(at, *room * size);
}

// ---- byte order ----
static uint32_t word32(const File *f, const char *at) {
  uint32_t v;
  memcpy(&v, at, sizeof v);
  return f->swap ? __builtin_bswap32(v) : v;
}

static uint64_t word64(const File *f, const char *at) {
  uint64_t v;
  memcpy(&v, at, sizeof v);
  return f->swap ? __builtin_bswap64(v) : v;
}

#define FIELD32(f, at, T, field) word32(f, (at) + offsetof(T, field))
#define FIELD64(f, at, T, field) word64(f, (at) + offsetof(T, field))

// ---- the head of the file ----
static void head_fields(File *f) {
  const char *at = f->data.data;
  fm__trace_head *h = &f->head;
  h->version = FIELD32(f, at, fm__trace_head, version);
  h->head = FIELD32(f, at, fm__trace_head, head);
  h->piece = FIELD32(f, at, fm__trace_head, piece);
  h->flags = FIELD32(f, at, fm__trace_head, flags);
  h->words_size = FIELD32(f, at, fm__trace_head, words_size);
  h->process = FIELD64(f, at, fm__trace_head, process);
  h->begun = FIELD64(f, at, fm__trace_head, begun);
  h->calendar = FIELD64(f, at, fm__trace_head, calendar);
  h->lost = FIELD64(f, at, fm__trace_head, lost);
}

static const char *head_is_wrong(File *f) {
  const fm__trace_head *h = &f->head;
  const char *data = f->data.data;
  if (f->data.len >= 1 && *data == '[')
    return "a trace in JSON, for https://ui.perfetto.dev; `fermata report` "
           "reads those of `fermata "
           "record`, or of FERMATA_TRACE=FILE with a name that does not end in "
           ".json";
  if (f->data.len < sizeof *h || memcmp(data, FM__TRACE_MAGIC, 8) != 0)
    return "not a trace of Fermata";
  uint32_t order;
  memcpy(&order, data + offsetof(fm__trace_head, order), sizeof order);
  f->swap = order != FM__TRACE_ORDER;
  if (f->swap && __builtin_bswap32(order) != FM__TRACE_ORDER)
    return "not a trace of Fermata: its byte order is not known";
  head_fields(f);
  if (h->version != FM__TRACE_VERSION)
    return "a trace of another version of Fermata";
  if (h->head < sizeof *h || h->piece < sizeof(fm__piece_head) ||
      h->piece % sizeof(fm__trace_cell) || h->words_size > h->head - sizeof *h)
    return "broken: its head makes no sense";
  return NULL;
}

// ---- pieces ----
static uint32_t domain_index(File *f, uint64_t number) {
  for (size_t i = f->domains.count; i-- > 0;)
    if (f->domains.at[i] == number)
      return (uint32_t)i;
  PUSH(&f->domains, number);
  return (uint32_t)f->domains.count - 1;
}

static int by_sequence(const void *a, const void *b) {
  const Piece *p = a;
  const Piece *q = b;
  return p->sequence < q->sequence ? -1 : p->sequence > q->sequence;
}

static void find_pieces(File *f) {
  for (size_t at = f->head.head; at < f->data.len; at += f->head.piece) {
    const char *p = f->data.data + at;
    size_t size = f->data.len - at;
    if (size < sizeof(fm__piece_head) ||
        FIELD32(f, p, fm__piece_head, magic) != FM__PIECE_MAGIC)
      continue;
    Piece piece = {
      .at = p,
      .size = size < f->head.piece ? size : f->head.piece,
      .domain = FIELD64(f, p, fm__piece_head, domain),
      .sequence = FIELD64(f, p, fm__piece_head, sequence),
      .time = FIELD64(f, p, fm__piece_head, time),
      .running = FIELD64(f, p, fm__piece_head, running),
    };
    PUSH(&f->pieces, piece);
  }
  if (f->pieces.count)
    qsort(f->pieces.at, f->pieces.count, sizeof *f->pieces.at, by_sequence);
  for (size_t i = 0; i < f->pieces.count; i++)
    f->pieces.at[i].index = domain_index(f, f->pieces.at[i].domain);
}

bool file_read(File *f, const char *path) {
  if (!buf_read_file(&f->data, path)) {
    complain("report: %s: %s", path, strerror(errno));
    return false;
  }
  const char *wrong = head_is_wrong(f);
  if (wrong) {
    complain("report: %s is %s", path, wrong);
    return false;
  }
  find_pieces(f);
  if (f->pieces.count)
    return true;
  complain("report: %s has no events: no activity has run in the program",
           path);
  return false;
}

void file_free(File *f) {
  buf_free(&f->data);
  free(f->pieces.at);
  free(f->domains.at);
}

// ---- cells ----
static bool take_text(Cells *c, Cell *to, size_t size) {
  size_t cells = (size + sizeof(fm__trace_cell) - 1) / sizeof(fm__trace_cell);
  size_t bytes = cells * sizeof(fm__trace_cell);
  if (bytes > c->piece->size - c->at)
    return false;
  to->text = c->piece->at + c->at;
  to->size = size;
  c->at += bytes;
  return true;
}

static bool take_raw(Cells *c, Cell *to) {
  const char *at = c->piece->at + c->at;
  if (c->piece->size - c->at < sizeof(fm__trace_cell))
    return false;
  for (int i = 0; i < 4; i++)
    to->raw[i] = word32(c->file, at + 4 * i);
  to->parent = word64(c->file, at);
  c->at += sizeof(fm__trace_cell);
  return true;
}

bool cells_next(Cells *c, Cell *to) {
  const char *at = c->piece->at + c->at;
  if (c->piece->size - c->at < sizeof(fm__trace_cell))
    return false;
  uint64_t head = word64(c->file, at);
  uint64_t body = word64(c->file, at + 8);
  *to = (Cell){
    .domain = c->piece->index,
    .kind = head >> 32 & 0xff,
    .info = head >> 40 & 0xff,
    .what = (uint16_t)(head >> 48),
    .body = body,
    .number = body & 0xffffffffff,
    .id = (uint32_t)(body >> 40),
  };
  if (to->kind == FM__C_NONE)
    return false;
  c->at += sizeof(fm__trace_cell);
  c->time = to->kind == FM__C_TIME ? body : c->time + (uint32_t)head;
  to->time = c->time;
  switch (to->kind) {
  case FM__C_STRING:
    return take_text(c, to, to->number);
  case FM__C_NAME:
    return take_text(c, to, to->id);
  case FM__C_NOTE:
    return take_text(c, to, to->what);
  case FM__C_PLACE:
  case FM__C_ACTIVITY:
    return take_raw(c, to);
  }
  return true;
}
