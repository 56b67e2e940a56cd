// diag.c: messages to the user: `file:line:col: error: message`, the line, a caret. The column is
// that of the preprocessed text, which keeps the source's columns except on lines with macros;
// there the token is searched in the line of the source file.
#include "fmcc.h"

#include <ctype.h>
#include <stdlib.h>

// after: the message is about the place after the token.
typedef struct Spot {
  uint32_t pos;
  uint32_t len;
  uint32_t line;
  uint16_t file;
  bool after;
} Spot;

static const char *
line_of(const char *text, size_t len, size_t pos, size_t *n) {
  size_t from = pos;
  size_t to = pos;
  while (from > 0 && text[from - 1] != '\n')
    from--;
  while (to < len && text[to] != '\n')
    to++;
  *n = to - from;
  return text + from;
}

// The user's own line, or NULL if the file cannot be read.
const char *source_line(Unit *u, uint16_t file, uint32_t line, size_t *n) {
  SourceFile *f = &u->files[file];
  if (!f->loaded) {
    f->loaded = true;
    if (f->name[0] != '<' && f->name[0] != '-')
      buf_read_file(&f->text, f->name);
  }
  const char *s = f->text.data;
  if (!s)
    return NULL;
  const char *end = s + f->text.len;
  uint32_t i = 1;
  if (f->line && f->line <= line) {
    i = f->line;
    s += f->at;
  }
  for (; i < line && s; i++) {
    s = memchr(s, '\n', (size_t)(end - s));
    if (s)
      s++;
  }
  if (!s || s >= end)
    return NULL;
  f->line = line;
  f->at = (size_t)(s - f->text.data);
  const char *nl = memchr(s, '\n', (size_t)(end - s));
  *n = (size_t)((nl ? nl : end) - s);
  return s;
}

static bool word_char(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static size_t
first_difference(const char *a, size_t n, const char *b, size_t m) {
  size_t i = 0;
  while (i < n && i < m && a[i] == b[i])
    i++;
  return i;
}

static size_t blanks(const char *line, size_t n) {
  size_t i = 0;
  while (i < n && line[i] == ' ')
    i++;
  return i;
}

// A token that is not in the user's line comes from a macro: its column is that of the first word
// where that line and the expanded line differ. The expansion of a macro of a system header has a
// line of its own, which the preprocessor indents nearly as far as the macro's name.
static size_t macro_column(
    const char *line, size_t n, const char *expanded, size_t m, size_t *len) {
  size_t i = first_difference(line, n, expanded, m);
  size_t indent = blanks(expanded, m);
  bool indented = i < indent && indent < n;
  if (indented)
    i = indent;
  // a word that ends there stands before the macro
  while (i > 0 && i < n && word_char(line[i - 1]) &&
         !(indented && line[i] == ' '))
    i--;
  while (i + 1 < n && (line[i] == ' ' || line[i] == '\t'))
    i++;
  for (*len = 0; i + *len < n && word_char(line[i + *len]);)
    ++*len;
  return i + 1;
}

// The column of the token in the user's line: col, if it stands there, or else its nearest
// occurrence. 0: not found.
static size_t find_column(
    const char *line, size_t n, const char *tok, size_t len, size_t col) {
  size_t best = 0;
  bool word = word_char(*tok);
  for (size_t i = 0; len && i + len <= n; i++) {
    if (memcmp(line + i, tok, len) != 0)
      continue;
    if (word && ((i > 0 && word_char(line[i - 1])) ||
                 (i + len < n && word_char(line[i + len]))))
      continue;
    if (i + 1 == col)
      return col;
    if (!best || labs((long)(i + 1) - (long)col) < labs((long)best - (long)col))
      best = i + 1;
  }
  return best;
}

static void
add_caret(Buf *b, const char *line, size_t n, size_t col, size_t len) {
  // of a long line, only the part around the caret is shown
  size_t from = 0;
  size_t width = 160;
  if (n > width && col > width / 2)
    from = col - width / 2;
  size_t to = n - from > width ? from + width : n;
  buf_puts(b, "    ");
  for (size_t i = from; i < to; i++)
    buf_putc(b, line[i] && line[i] != '\r' ? line[i] : ' ');
  buf_puts(b, "\n    ");
  for (size_t i = from; i + 1 < col && i < to; i++)
    if ((line[i] & 0xC0) != 0x80)
      buf_putc(b, line[i] == '\t' ? '\t' : ' ');
  buf_putc(b, '^');
  for (size_t i = 1; i < len && col + i <= to && i < 60; i++)
    buf_putc(b, '~');
  buf_putc(b, '\n');
}

// gcc's preprocessor writes é as \U000000e9. This restores the letter, in place: the text only gets
// shorter.
static void plain_letters(char *s) {
  char *to = s;
  for (; *s; to++) {
    unsigned c = 0;
    int read = 0;
    bool is =
        *s == '\\' && ((s[1] == 'U' && sscanf(s, "\\U%8x%n", &c, &read) == 1) ||
                       (s[1] == 'u' && sscanf(s, "\\u%4x%n", &c, &read) == 1));
    if (!is || c < 0x80 || c > 0x10FFFF || read < 6) {
      *to = *s++;
      continue;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3; // bytes after the first
    *to = (char)((0xFF00 >> (more + 1)) | (c >> 6 * more));
    while (more-- > 0)
      *++to = (char)(0x80 | (c >> 6 * more & 0x3F));
    s += read;
  }
  *to = 0;
}

static char *as_written(Unit *u, const char *s, size_t n) {
  char *copy = arena_printf(&u->arena, "%.*s", (int)n, s);
  plain_letters(copy);
  return copy;
}

static const char *const severity_names[] = { "error", "warning", "note" };

// Where a message stands: in the user's line if that can be read, else in the preprocessed one.
typedef struct Column {
  const char *line; // and its length
  size_t n;
  size_t col, len; // of the token, or of the macro that it comes from
  bool macro;
} Column;

static Column column_of(Unit *u, Spot at) {
  Column c = { 0 };
  size_t own;
  c.line = line_of(u->text, u->len, at.pos < u->len ? at.pos : u->len, &c.n);
  const char *tok = as_written(u, u->text + at.pos, at.len);
  const char *user = source_line(u, at.file, at.line, &own);
  c.col =
      strlen(as_written(u, c.line, (size_t)(u->text + at.pos - c.line))) + 1;
  c.len = strlen(tok);
  size_t there = user ? find_column(user, own, tok, c.len, c.col) : 0;
  c.macro = user && !there && at.len;
  if (c.macro)
    there = macro_column(user, own, c.line, c.n, &c.len);
  if (there) {
    c.line = user;
    c.n = own;
    c.col = there;
  }
  return c;
}

static bool is_library_name(const char *s, size_t n) {
  return n > 3 && strncmp(s, "fm_", 3) == 0;
}

static Diag *
compose(Unit *u, Spot at, Severity severity, const char *fmt, va_list ap) {
  Column c = column_of(u, at);
  if (at.after && !c.macro)
    c.col += c.len, c.len = 1;
  char *message = xvasprintf(fmt, ap);
  plain_letters(message);
  Buf b = { 0 };
  Diag *d = NEW(&u->arena, Diag);
  buf_printf(&b, "%s:%u:%zu", u->files[at.file].name, at.line, c.col);
  d->severity = severity;
  d->place = b.len;
  d->library = c.macro && c.col <= c.n &&
               is_library_name(c.line + c.col - 1, c.n - c.col + 1);
  buf_printf(&b, ": %s: %s\n", severity_names[severity], message);
  free(message);
  add_caret(&b, c.line, c.n, c.col, c.len ? c.len : 1);
  d->text = arena_text(&u->arena, b.data, b.len);
  buf_free(&b);
  return d;
}

static void paint(FILE *f, const Diag *d) {
  static const char *const colours[] = { "\033[1;31m",
                                         "\033[1;35m",
                                         "\033[1;36m" };
  const char *name = severity_names[d->severity];
  const char *rest = d->text + d->place + strlen(": ") + strlen(name) + 1;
  const char *nl = strchr(rest, '\n');
  fprintf(f,
          "\033[1m%.*s: %s%s:\033[0m\033[1m%.*s\033[0m%s",
          (int)d->place,
          d->text,
          colours[d->severity],
          name,
          (int)(nl - rest),
          rest,
          nl);
}

// A macro of the library uses its argument more than once: the same message at the same place, or
// another one that follows from it.
static bool said_before(const Unit *u, const Diag *d) {
  const Diag *last = u->said.len ? u->said.at[u->said.len - 1] : NULL;
  if (!last || d->severity != DIAG_ERROR || last->severity != DIAG_ERROR)
    return false;
  if (last->library && d->library && last->place == d->place)
    return strncmp(last->text, d->text, d->place) == 0;
  return strcmp(last->text, d->text) == 0;
}

static void keep(Unit *u, Diag *d) {
  if (said_before(u, d))
    return;
  d->external = u->external;
  d->number = u->said.len;
  vec_push(&u->said, d);
  u->errors += d->severity == DIAG_ERROR;
}

static void deliver(Unit *u, Diag *d) {
  if (u->hold_errors) {
    *u->held_tail = d;
    u->held_tail = &d->next;
  } else {
    keep(u, d);
  }
}

void diags_release(Unit *u) {
  Diag *d = u->held;
  u->held = NULL;
  u->held_tail = &u->held;
  for (; d; d = d->next)
    keep(u, d);
}

static int in_order(const void *x, const void *y) {
  const Diag *a = *(Diag *const *)x;
  const Diag *b = *(Diag *const *)y;
  if (a->external != b->external)
    return a->external < b->external ? -1 : 1;
  return a->number < b->number ? -1 : a->number > b->number;
}

void diags_print(Unit *u) {
  if (u->said.len)
    qsort(u->said.at, u->said.len, sizeof *u->said.at, in_order);
  FOR_EACH (const Diag, d, u->said) {
    if (u->opt.color)
      paint(stderr, d);
    else
      fputs(d->text, stderr);
  }
  u->said.len = 0;
}

static Spot place_of(Unit *u, TokIndex t) {
  Token *k = tok_at(u, t < u->ntoks ? t : (TokIndex)u->ntoks - 1);
  return (Spot){ k->pos, k->len, k->line, k->file, false };
}

// The name before a parenthesis that is open at s + i; sets i to its place. NULL: there is none.
static const char *call_around(const char *s, size_t *i, size_t *len) {
  int depth = 0;
  while (*i > 0) {
    char c = s[--*i];
    depth += (c == ')') - (c == '(');
    if (depth >= 0)
      continue;
    depth = 0;
    size_t end = *i;
    while (end > 0 && s[end - 1] == ' ')
      end--;
    size_t from = end;
    while (from > 0 && word_char(s[from - 1]))
      from--;
    if (end > from) {
      *i = from;
      *len = end - from;
      return s + from;
    }
  }
  return NULL;
}

const char *library_call_at(Unit *u, TokIndex t) {
  Column c = column_of(u, place_of(u, t));
  size_t i = c.col - 1;
  size_t len = c.len;
  if (i >= c.n)
    return NULL;
  const char *name = c.line + i;
  while (name && !is_library_name(name, len))
    name = call_around(c.line, &i, &len);
  return name ? arena_text(&u->arena, name, len) : NULL;
}

static void
say(Unit *u, Spot at, Severity severity, const char *fmt, va_list ap) {
  bool is_error = severity == DIAG_ERROR;
  if (is_error && u->opt.max_errors && u->errors >= u->opt.max_errors) {
    u->errors++;
    return;
  }
  deliver(u, compose(u, at, severity, fmt, ap));
}

#define SAY(place, severity)        \
  va_list ap;                       \
  va_start(ap, fmt);                \
  say(u, place, severity, fmt, ap); \
  va_end(ap)

void error_at(Unit *u, TokIndex t, const char *fmt, ...) {
  SAY(place_of(u, t), DIAG_ERROR);
}
void error_after(Unit *u, TokIndex t, const char *fmt, ...) {
  Spot at = place_of(u, t);
  at.after = true;
  SAY(at, DIAG_ERROR);
}
void note_at(Unit *u, TokIndex t, const char *fmt, ...) {
  SAY(place_of(u, t), DIAG_NOTE);
}

static bool is_error_now(const Unit *u, OwnWarning w, TokIndex t) {
  Wish wish = w < OWN_WARNINGS ? u->opt.error_of[w] : WISH_UNSAID;
  PragmaSays says = w < OWN_WARNINGS ? pragma_says(u, w, t) : PRAGMA_SILENT;
  if (says != PRAGMA_SILENT)
    return says == PRAGMA_ERROR;
  return wish == WISH_YES || (wish == WISH_UNSAID && u->opt.all_errors);
}

// The text with the warning's name at the end: [-WNAME], [-Werror=NAME].
static const char *
with_name(Unit *u, OwnWarning w, bool is_error, const char *fmt) {
  const char *name = w < OWN_WARNINGS ? own_warning_name(w) : NULL;
  if (name)
    return arena_printf(
        &u->arena, "%s [-W%s%s]", fmt, is_error ? "error=" : "", name);
  return is_error ? arena_printf(&u->arena, "%s [-Werror]", fmt) : fmt;
}

void warn_at(Unit *u, OwnWarning w, TokIndex t, const char *fmt, ...) {
  if (u->opt.silent)
    return;
  bool is_error = is_error_now(u, w, t);
  va_list ap;
  va_start(ap, fmt);
  say(u,
      place_of(u, t),
      is_error ? DIAG_ERROR : DIAG_WARNING,
      with_name(u, w, is_error, fmt),
      ap);
  va_end(ap);
}

void error_pos(Unit *u,
               uint32_t pos,
               uint32_t len,
               uint32_t line,
               uint16_t file,
               const char *fmt,
               ...) {
  SAY(((Spot){ pos, len, line, file, false }), DIAG_ERROR);
}

void fail_at(Unit *u, TokIndex t, const char *fmt, ...) {
  SAY(place_of(u, t), DIAG_ERROR);
  longjmp(*u->recover, 1);
}
