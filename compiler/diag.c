// diag.c: what the user reads: `file:line:col: error: message`, the line, a caret.
// The column is that of the preprocessed text, which keeps the source's columns except on lines with macros; there the
// token is looked for in the source file's own line.
#include "fmcc.h"

#include <stdlib.h>

typedef struct Place { uint32_t pos, len, line; uint16_t file; } Place;

static const char *line_of(const char *text, size_t len, size_t pos, size_t *n) {
  size_t from = pos, to = pos;
  while (from > 0 && text[from - 1] != '\n') from--;
  while (to < len && text[to] != '\n') to++;
  *n = to - from;
  return text + from;
}

// The user's own line, or NULL if the file cannot be read.
static const char *source_line(Unit *u, uint16_t file, uint32_t line, size_t *n) {
  SourceFile *f = &u->files[file];
  if (!f->loaded) {
    f->loaded = true;
    if (f->name[0] != '<' && f->name[0] != '-') buf_read_file(&f->text, f->name);
  }
  const char *s = f->text.data;
  if (!s) return NULL;
  const char *end = s + f->text.len;
  for (uint32_t i = 1; i < line && s; i++) {
    s = memchr(s, '\n', (size_t)(end - s));
    if (s) s++;
  }
  if (!s || s >= end) return NULL;
  const char *nl = memchr(s, '\n', (size_t)(end - s));
  *n = (size_t)((nl ? nl : end) - s);
  return s;
}

// Where the token stands in the user's line: at col if it is there, else its nearest occurrence; else col 0: nowhere.
static size_t find_column(const char *line, size_t n, const char *tok, size_t len, size_t col) {
  size_t best = 0;
  for (size_t i = 0; len && i + len <= n; i++) {
    if (memcmp(line + i, tok, len) != 0) continue;
    if (i + 1 == col) return col;
    if (!best || labs((long)(i + 1) - (long)col) < labs((long)best - (long)col)) best = i + 1;
  }
  return best;
}

static void add_caret(Buf *b, const char *line, size_t n, size_t col, size_t len) {
  size_t from = 0, width = 160;                   // of a line too long to show, the part around the caret
  if (n > width && col > width / 2) from = col - width / 2;
  size_t to = n - from > width ? from + width : n;
  buf_puts(b, "    ");
  for (size_t i = from; i < to; i++) buf_putc(b, line[i] && line[i] != '\r' ? line[i] : ' ');
  buf_puts(b, "\n    ");
  for (size_t i = from; i + 1 < col && i < to; i++)
    if ((line[i] & 0xC0) != 0x80) buf_putc(b, line[i] == '\t' ? '\t' : ' ');
  buf_putc(b, '^');
  for (size_t i = 1; i < len && col + i <= to && i < 60; i++) buf_putc(b, '~');
  buf_putc(b, '\n');
}

static void compose(Unit *u, Buf *b, Place at, const char *kind, const char *fmt, va_list ap) {
  size_t n, own;
  const char *line = line_of(u->text, u->len, at.pos < u->len ? at.pos : u->len, &n);
  size_t col = (size_t)(u->text + at.pos - line) + 1;
  const char *user = source_line(u, at.file, at.line, &own);
  size_t there = user ? find_column(user, own, u->text + at.pos, at.len, col) : 0;
  if (there) {
    line = user;
    n = own;
    col = there;
  }
  char *message = NULL;
  if (vasprintf(&message, fmt, ap) < 0) message = xstrdup(fmt);
  buf_printf(b, "%s:%u:%zu: %s: %s\n", u->files[at.file].name, at.line, col, kind, message);
  free(message);
  add_caret(b, line, n, col, at.len ? at.len : 1);
}

static void paint(FILE *f, const char *text) {    // colour: the word before the second ": "
  const char *nl = strchr(text, '\n'), *kind = strstr(text, ": ");
  const char *end = kind && nl && kind < nl ? strstr(kind + 2, ": ") : NULL;
  if (!end || end > nl) {
    fputs(text, f);
    return;
  }
  const char *colour = kind[2] == 'e' ? "\033[1;31m" : kind[2] == 'w' ? "\033[1;35m" : "\033[1;36m";
  fprintf(f, "\033[1m%.*s: %s%.*s:\033[0m\033[1m%.*s\033[0m%s", (int)(kind - text), text, colour, (int)(end - kind - 2),
          kind + 2, (int)(nl - end - 1), end + 1, nl);
}

static void deliver(Unit *u, Buf *b, bool is_error) {
  if (u->hold_errors) {
    HeldDiag *h = NEW(&u->arena, HeldDiag);
    *h = (HeldDiag){.text = arena_text(&u->arena, b->data, b->len), .is_error = is_error};
    *u->held_tail = h;
    u->held_tail = &h->next;
  } else {
    if (u->opt.color) paint(stderr, b->data);
    else fputs(b->data, stderr);
    u->errors += is_error;
  }
  buf_free(b);
}

void diags_flush(Unit *u, bool print) {
  HeldDiag *h = u->held;
  u->held = NULL;
  u->held_tail = &u->held;
  if (!print) return;
  for (; h; h = h->next) {
    if (u->opt.color) paint(stderr, h->text);
    else fputs(h->text, stderr);
    u->errors += h->is_error;
  }
}

static Place place_of(Unit *u, TokIndex t) {
  Token *k = tok_at(u, t < u->ntoks ? t : (TokIndex)u->ntoks - 1);
  return (Place){k->pos, k->len, k->line, k->file};
}

static void say(Unit *u, Place at, const char *kind, bool is_error, const char *fmt, va_list ap) {
  if (is_error && u->opt.max_errors && u->errors >= u->opt.max_errors) {
    u->errors++;
    return;
  }
  Buf b = {0};
  compose(u, &b, at, kind, fmt, ap);
  deliver(u, &b, is_error);
}

#define SAY(place, kind, is_error) \
  va_list ap;                      \
  va_start(ap, fmt);               \
  say(u, place, kind, is_error, fmt, ap); \
  va_end(ap)

void error_at(Unit *u, TokIndex t, const char *fmt, ...) { SAY(place_of(u, t), "error", true); }
void note_at(Unit *u, TokIndex t, const char *fmt, ...) { SAY(place_of(u, t), "note", false); }
void warn_at(Unit *u, TokIndex t, const char *fmt, ...) { SAY(place_of(u, t), "warning", false); }

void error_pos(Unit *u, uint32_t pos, uint32_t len, uint32_t line, uint16_t file, const char *fmt, ...) {
  SAY(((Place){pos, len, line, file}), "error", true);
}

void fail_at(Unit *u, TokIndex t, const char *fmt, ...) {
  SAY(place_of(u, t), "error", true);
  longjmp(*u->recover, 1);
}
