// print-text.c: prints tokens and text at the user's lines. The printer knows at which file and
// line the C compiler will see the next character. print_sync() moves to the line of a token, by
// newlines or a line marker, and prints the pragmas that stand before that token.
#include "emit/layout.h"

#include <ctype.h>

// ---- text ----
static bool word_char(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

// The two characters together begin another token.
static bool is_pair(char a, char b) {
  static const char pairs[][3] = { "->", "/*", "<:", "<%", "%:" };
  for (size_t i = 0; i < COUNT(pairs); i++)
    if (a == pairs[i][0] && b == pairs[i][1])
      return true;
  return false;
}

// Tokens that end with a and begin with b would become another token without a space between them.
static bool would_paste(char a, char b) {
  bool quote = b == '"' || b == '\'' || b == '\\';
  if (word_char(a))
    return word_char(b) || quote || (isdigit((unsigned char)a) && b == '.');
  if (a == '.')
    return b == '.' || isdigit((unsigned char)b);
  if (a == b)
    return strchr("+-&|<>=:#", a) != NULL;
  if (b == '=')
    return strchr("+-*/%&|^<>!", a) != NULL;
  return is_pair(a, b);
}

void print_text(Printer *p, const char *s) {
  Buf *o = p->out;
  if (!*s)
    return;
  if (o->len && would_paste(o->data[o->len - 1], *s))
    buf_putc(o, ' ');
  buf_puts(o, s);
}

void print_at(Printer *p, TokIndex t, const char *text) {
  print_sync(p, t);
  print_text(p, text);
}

// ---- lines ----
static void newline(Printer *p) {
  buf_putc(p->out, '\n');
  p->line++;
}

void put_line_marker(
    Unit *u, Buf *out, uint32_t line, uint16_t file, bool system) {
  if (out->len && out->data[out->len - 1] != '\n')
    buf_putc(out, '\n');
  buf_printf(out, "# %u \"", line);
  for (const char *s = u->files[file].name; *s; s++) {
    if (*s == '"' || *s == '\\')
      buf_putc(out, '\\');
    buf_putc(out, *s);
  }
  buf_puts(out, system ? "\" 3\n" : "\"\n");
}

static void marker(Printer *p, uint32_t line, uint16_t file, bool system) {
  put_line_marker(p->u, p->out, line, file, system);
  p->line = line;
  p->file = file;
  p->system = system;
}

static void indent(Printer *p) {
  int n = p->indent > 40 ? 40 : p->indent;
  for (int i = 0; i < n; i++)
    buf_puts(p->out, "  ");
}

// Prints the pragmas before token t, at their lines.
static void pragmas_before(Printer *p, TokIndex t) {
  Unit *u = p->u;
  for (; p->pragma < u->npragmas && u->pragmas[p->pragma].before <= t;
       p->pragma++) {
    Pragma *g = &u->pragmas[p->pragma];
    if (has_own_pragma(u->text + g->pos, g->len))
      continue;
    marker(p, g->line, g->file, p->system);
    buf_add(p->out, u->text + g->pos, g->len);
    newline(p);
  }
}

// The token is a few lines further, so that newlines are shorter than a line marker.
static bool is_close_after(const Printer *p, const Token *k) {
  enum { CLOSE = 8 };
  return k->file == p->file && k->line > p->line && k->line - p->line <= CLOSE;
}

void print_sync(Printer *p, TokIndex t) {
  Token *k = tok_at(p->u, t);
  if (p->line == UINT32_MAX) // text without lines
    return;
  pragmas_before(p, t);
  print_origin(p, t);
  bool system = (k->flags & TF_SYSTEM) || p->quiet;
  if (k->line == p->line && k->file == p->file && system == p->system)
    return;
  if (system == p->system && is_close_after(p, k)) {
    while (p->line < k->line)
      newline(p);
  } else {
    marker(p, k->line, k->file, system);
  }
  indent(p);
}

void print_lost(Printer *p) {
  p->line = 0;
  p->file = UINT16_MAX;
}

void print_generated(Printer *p) {
  buf_puts(p->out, "\n# 1 \"<fermata>\" 3\n");
  p->line = UINT32_MAX;
}

Printer text_printer(Unit *u, Buf *out) {
  return (Printer){
    .u = u,
    .out = out,
    .line = UINT32_MAX,
    .pragma = SIZE_MAX,
  };
}

Printer without_lines(const Printer *p, Buf *out) {
  Printer q = *p;
  q.out = out;
  q.line = UINT32_MAX;
  return q;
}

const char *take_text(Unit *u, Buf *text) {
  const char *s =
      arena_text(&u->arena, text->data ? text->data : "", text->len);
  buf_free(text);
  return s;
}

// ---- tokens ----
void print_tok(Printer *p, TokIndex t) {
  size_t n;
  const char *s = tok_text(p->u, t, &n);
  print_sync(p, t);
  if (p->out->len && n && would_paste(p->out->data[p->out->len - 1], *s))
    buf_putc(p->out, ' ');
  buf_add(p->out, s, n);
  for (size_t i = 0; i < n; i++)
    if (s[i] == '\n' && p->line != UINT32_MAX)
      p->line++;
}

void print_range(Printer *p, Range r) {
  for (TokIndex t = r.from, to; t < r.to; t++) {
    if (t > r.from && (tok_at(p->u, t)->flags & TF_SPACE))
      buf_putc(p->out, ' ');
    const char *text = edit_at(p->u, t, &to);
    if (text) {
      print_sync(p, t);
      print_text(p, text);
      t = to - 1;
    } else {
      print_tok(p, t);
    }
  }
  if (r.from < r.to)
    buf_putc(p->out, ' ');
}

// ---- comments that say `fall through` ----
// `__attribute__((fallthrough));` or `[[fallthrough]];` stands before the label.
static bool has_fall_through(Unit *u, TokIndex label) {
  return label > 4 && kind_at(u, label - 1) == P_SEMI &&
         (tok_is(u, label - 4, "fallthrough") ||
          tok_is(u, label - 4, "__fallthrough__"));
}

// The text has "fall through", "falls-through", "FALLTHRU" … in a comment.
static bool has_fall_comment(const char *text, size_t n) {
  for (size_t i = 0; i + 9 < n; i++) {
    if (strncasecmp(text + i, "fall", 4) != 0)
      continue;
    bool comment = memmem(text, i, "/*", 2) || memmem(text, i, "//", 2);
    if (!comment)
      continue;
    const char *rest = text + i + 4;
    rest += tolower((unsigned char)*rest) == 's';
    rest += *rest == ' ' || *rest == '-' || *rest == '_';
    if ((size_t)(text + n - rest) >= 4 && strncasecmp(rest, "thr", 3) == 0)
      return true;
  }
  return false;
}

// Preprocessed text has no comments, so the source is read: gcc warns if the comment is missing.
bool says_fall_through(Unit *u, TokIndex label) {
  enum { MOST_LINES = 20 };
  if (!label || has_fall_through(u, label))
    return false;
  Token *k = tok_at(u, label);
  Token *before = tok_at(u, label - 1);
  if (k->file != before->file || (k->flags & TF_SYSTEM) ||
      k->line - before->line > MOST_LINES)
    return false;
  for (uint32_t line = before->line; line <= k->line; line++) {
    size_t n = 0;
    const char *text = source_line(u, k->file, line, &n);
    if (text && has_fall_comment(text, n))
      return true;
  }
  return false;
}
