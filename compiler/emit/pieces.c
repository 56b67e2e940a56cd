// pieces.c: splits generated text into pieces, for the readable form. In: text of the printers, in
// which notes stand between two control characters. Out: pieces in order: tokens, notes,
// directives. Generated names are replaced by readable ones; line markers are left out.
#include "base/words.h"
#include "emit/layout.h"

#include <ctype.h>
#include <stdlib.h>

// Characters around a note, which no C text contains.
enum {
  OPEN = 1,
  CLOSE = 2,
};

// ---- notes, as the printers write them ----
static bool notes_wanted(const Printer *p) {
  return p->u->opt.readable;
}

static void print_marked(Printer *p, char kind, const char *fmt, va_list ap) {
  char *s = xvasprintf(fmt, ap);
  buf_putc(p->out, OPEN);
  buf_putc(p->out, kind);
  buf_puts(p->out, s);
  buf_putc(p->out, CLOSE);
  free(s);
}

void print_note(Printer *p, const char *fmt, ...) {
  va_list ap;
  if (!notes_wanted(p))
    return;
  va_start(ap, fmt);
  print_marked(p, 'n', fmt, ap);
  va_end(ap);
}

void print_end_note(Printer *p, const char *fmt, ...) {
  va_list ap;
  if (!notes_wanted(p))
    return;
  va_start(ap, fmt);
  print_marked(p, 'e', fmt, ap);
  va_end(ap);
}

void print_window(Printer *p, TokIndex from, TokIndex to) {
  if (notes_wanted(p))
    buf_printf(p->out, "%cw%u %u%c", OPEN, from, to, CLOSE);
}

void print_origin(Printer *p, TokIndex t) {
  if (notes_wanted(p))
    buf_printf(p->out, "%ct%u%c", OPEN, t, CLOSE);
}

// ---- readable names ----
// Names that generated functions declare. member: also as a member of a frame; numbered: a number
// follows.
typedef struct Rename {
  const char *from;
  const char *to;
  bool member;
  bool numbered;
} Rename;
// clang-format off
static const Rename renames[] = {
  { "fm__c", "domain", false, false },      { "fm__f", "frame", false, false },
  { "fm__h", "head", true, false },         { "fm__ret", "result", true, false },
  { "fm__up", "outer", true, false },       { "fm__st", "state", false, false },
  { "fm__save", "save_and_leave", false, false },
  { "fm__only", "only_pauses", false, false },
  { "fm__dummy", "nothing", false, false }, { "fm__v", "value", false, false },
  { "fm__r", "result_at", false, false },   { "fm__d", "here", false, false },
  { "fm__k", "completion", false, false },  { "fm__q", "outcome", false, false },
  { "fm__a", "started", false, false },     { "fm__i", "initial", false, false },
  { "fm__o", "object", false, false },      { "fm__w", "waiter", false, false },
  { "fm__got", "answer", false, false },     { "fm__e", "entered_at", false, false },
  { "fm__x", "left_by", false, false },     { "fm__route", "route", false, false },
  { "fm__P", "part_", false, true },
  { "fm__L", "resume_", false, true },      { "fm__t", "value_", false, true },
  { "fm__p", "parameter_", false, true },   { "fm__a", "argument_", true, true },
  { "fm__g", "sharers_", true, true },      { "fm__lit", "literal_", true, true },
  { "fm__c", "on_exit_", false, true },
};
// clang-format on

static bool all_digits(const char *s, size_t len) {
  for (size_t i = 0; i < len; i++)
    if (!isdigit((unsigned char)s[i]))
      return false;
  return len > 0;
}

static bool looks_like(const Ident *id, const char *name, bool numbered) {
  size_t n = strlen(name);
  if (id->len < n || memcmp(id->name, name, n) != 0)
    return false;
  return numbered ? all_digits(id->name + n, id->len - n) : id->len == n;
}

// The program uses the name.
static bool is_used(Unit *u, const char *name, bool numbered) {
  for (size_t t = 0; t < u->ntoks; t++) {
    const Token *k = &u->toks[t];
    if (k->id && !(k->flags & TF_SYSTEM) && looks_like(k->id, name, numbered))
      return true;
  }
  return false;
}

// Returns the name, with underscores if the program uses it.
static const char *free_name(Unit *u, const char *name, bool numbered) {
  while (is_used(u, name, numbered))
    name = arena_printf(&u->arena, "%s_", name);
  return name;
}

const char *readable_name(Unit *u, const char *s, size_t len, bool member) {
  enum { N = COUNT(renames) };
  if (!u->readable_names)
    u->readable_names = arena_alloc(&u->arena, N * sizeof(char *));
  for (size_t i = 0; i < N; i++) {
    const Rename *r = &renames[i];
    size_t n = strlen(r->from);
    if (len < n || memcmp(s, r->from, n) != 0 || (member && !r->member))
      continue;
    if (r->numbered ? !all_digits(s + n, len - n) : len != n)
      continue;
    if (!u->readable_names[i])
      u->readable_names[i] = free_name(u, r->to, r->numbered);
    return arena_printf(
        &u->arena, "%s%.*s", u->readable_names[i], (int)(len - n), s + n);
  }
  return NULL;
}

// ---- pieces ----
static void push(Pieces *out, Piece k) {
  if (out->len == out->cap)
    out->at = xrealloc(out->at, (out->cap = out->cap * 2 + 256) * sizeof k);
  out->at[out->len++] = k;
}

bool piece_is(const Piece *k, const char *text) {
  size_t n = strlen(text);
  return k->len == n && k->kind >= PIECE_NAME && k->kind <= PIECE_SIGN &&
         memcmp(k->at, text, n) == 0;
}

// Adds the note that begins with OPEN at s; returns the text after CLOSE.
static const char *
take_note(Pieces *out, const char *s, const char *end, TokIndex *origin) {
  const char *close = memchr(s, CLOSE, (size_t)(end - s));
  Piece k = { .at = s + 2 };
  char *after;
  if (!close)
    return end;
  k.len = (uint32_t)(close - k.at);
  switch (s[1]) {
  case 't':
    *origin = (TokIndex)strtoul(k.at, NULL, 10);
    return close + 1;
  case 'w':
    k.kind = PIECE_WINDOW;
    k.window.from = (TokIndex)strtoul(k.at, &after, 10);
    k.window.to = (TokIndex)strtoul(after, NULL, 10);
    break;
  default:
    k.kind = s[1] == 'n' ? PIECE_NOTE : PIECE_END_NOTE;
    break;
  }
  push(out, k);
  return close + 1;
}

// Adds a directive (a pragma), but no line marker; returns the text after it.
static const char *take_directive(Pieces *out, const char *s, const char *end) {
  const char *nl = memchr(s, '\n', (size_t)(end - s));
  const char *word = s + 1;
  if (!nl)
    nl = end;
  while (word < nl && *word == ' ')
    word++;
  if (word < nl && isalpha((unsigned char)*word))
    push(out,
         (Piece){
             .at = s, .len = (uint32_t)(nl - s), .kind = PIECE_DIRECTIVE });
  return nl;
}

static PieceKind kind_of(const char *s, size_t len) {
  if (s[len - 1] == '"' || s[len - 1] == '\'')
    return PIECE_QUOTED;
  if (isdigit((unsigned char)*s) || (*s == '.' && len > 1 && s[1] != '.'))
    return PIECE_NUMBER;
  return in_name(*s) ? PIECE_NAME : PIECE_SIGN;
}

// Drops a generated `__attribute__((unused))`, which means nothing to a reader.
static void drop_unused(Pieces *out) {
  // clang-format off
  static const char *const words[] = {
    "__attribute__",
    "(",
    "(",
    "unused",
    ")",
    ")",
  };
  // clang-format on
  enum { N = COUNT(words) };
  if (out->len < N)
    return;
  Piece *k = &out->at[out->len - N];
  for (size_t i = 0; i < N; i++)
    if (!piece_is(&k[i], words[i]) || k[i].origin)
      return;
  out->len -= N;
}

// The next name follows `.` or `->`, and is a member of something other than a frame.
static bool is_foreign_member(Unit *u, const Pieces *out) {
  static const char *const frames[] = { "fm__f", "fm__up", "fm__a" };
  size_t n = out->len;
  if (n < 2)
    return false;
  if (piece_is(&out->at[n - 1], "."))
    return true;
  if (!piece_is(&out->at[n - 1], "->"))
    return false;
  for (size_t i = 0; i < COUNT(frames); i++)
    if (piece_is(&out->at[n - 2],
                 readable_name(u, frames[i], strlen(frames[i]), false)))
      return false;
  return true;
}

static void rename_piece(Unit *u, const Pieces *out, Piece *k) {
  if (k->kind != PIECE_NAME || k->len < 5 || memcmp(k->at, "fm__", 4) != 0)
    return;
  const char *name = readable_name(u, k->at, k->len, is_foreign_member(u, out));
  if (!name)
    return;
  k->at = name;
  k->len = (uint32_t)strlen(name);
}

static bool begins_line(const Buf *text, const char *s) {
  while (s > text->data && (s[-1] == ' ' || s[-1] == '\t'))
    s--;
  return s == text->data || s[-1] == '\n';
}

void split_pieces(Unit *u, const Buf *text, Pieces *out) {
  const char *s = text->data;
  const char *end = s + text->len;
  bool space = false;
  TokIndex origin = 0;
  while (s && s < end) {
    if (isspace((unsigned char)*s)) {
      space = true;
      s++;
    } else if (*s == OPEN) {
      s = take_note(out, s, end, &origin);
    } else if (*s == '#' && begins_line(text, s)) {
      s = take_directive(out, s, end);
    } else {
      size_t n = word_length(s, end);
      Piece k = { s,     (uint32_t)n, (uint8_t)kind_of(s, n),
                  space, origin,      { 0, 0 } };
      rename_piece(u, out, &k);
      push(out, k);
      drop_unused(out);
      s += n;
      space = false;
      origin = 0;
    }
  }
  push(out, (Piece){ .at = "", .kind = PIECE_END });
}
