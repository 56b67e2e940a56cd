// lines.c: puts lines of readable C together. In: pieces (pieces.c), one by one, and the user's
// comments. Out: each line, indented, with blanks between its pieces, with comments and notes
// before it or at its end, wrapped if it is too wide.
#include "emit/lines.h"

#include "base/words.h"

#include <stdlib.h>

enum {
  STEP = 2,
  DEEPEST = 20,
};

// ---- lines ----
int line_left(int indent) {
  if (indent < 0)
    return 0;
  return STEP * (indent > DEEPEST ? DEEPEST : indent);
}

static void put_indent(Buf *out, int indent) {
  for (int i = 0, n = line_left(indent); i < n; i++)
    buf_putc(out, ' ');
}

void put_note(Buf *out, int indent, const char *text, size_t len) {
  const char *end = text + len;
  while (text < end) {
    size_t room = (size_t)(LINE_WIDTH - 3 - line_left(indent));
    size_t n = (size_t)(end - text);
    const char *nl = memchr(text, '\n', n);
    if (nl)
      n = (size_t)(nl - text);
    if (n > room) {
      for (n = room; n > 20 && text[n] != ' ';)
        n--;
    }
    put_indent(out, indent);
    buf_puts(out, n ? "// " : "//");
    buf_add(out, text, n);
    buf_putc(out, '\n');
    text += n;
    if (text < end && (*text == ' ' || *text == '\n'))
      text++;
  }
}

// Writes a comment of the user. Its further lines are indented as far as its first one.
static void put_comment(Buf *out, int indent, const Comment *c) {
  const char *s = c->at;
  const char *end = s + c->len;
  put_indent(out, indent);
  while (s < end) {
    const char *nl = memchr(s, '\n', (size_t)(end - s));
    if (!nl)
      nl = end;
    buf_add(out, s, (size_t)(nl - s));
    buf_putc(out, '\n');
    s = nl < end ? nl + 1 : end;
    for (uint32_t i = 1; i < c->column && s < end && *s == ' '; i++)
      s++;
    if (s < end && *s != '\n')
      put_indent(out, indent);
  }
}

static bool belongs(const Layout *l, const Comment *c) {
  return !c->printed && c->anchor >= l->window.from && c->anchor < l->window.to;
}

void line_comments_to(Layout *l, TokIndex last) {
  for (size_t i = 0; l->comments && i < l->comments->len; i++) {
    Comment *c = &l->comments->at[i];
    if (!belongs(l, c) || c->anchor > last)
      continue;
    put_comment(l->out, l->indent, c);
    c->printed = true;
  }
}

static bool closes_line(TokenKind k) {
  return k == P_SEMI || k == P_RPAREN || k == P_RBRACE || k == P_LBRACE ||
         k == P_RBRACKET;
}

// Only punctuation that ends the statement stands between the line's last token and the comment.
static bool follows_line(const Layout *l, const Comment *c) {
  if (!c->after || c->anchor < l->first ||
      tok_at(l->u, c->anchor)->line != tok_at(l->u, l->last)->line)
    return false;
  for (TokIndex t = l->last + 1; t <= c->anchor; t++)
    if (!closes_line(kind_at(l->u, t)))
      return false;
  return true;
}

// Returns the comment at the end of this line in the source; NULL: there is none, or no room.
static Comment *end_comment(Layout *l, size_t width) {
  Comment *found = NULL;
  for (size_t i = 0; l->comments && l->first && i < l->comments->len; i++) {
    Comment *c = &l->comments->at[i];
    if (belongs(l, c) && follows_line(l, c))
      found = c;
  }
  if (!found || memchr(found->at, '\n', found->len) ||
      width + found->len + 2 > LINE_WIDTH)
    return NULL;
  return found;
}

static void note_break(Layout *l) {
  if (l->nbreaks == l->breaks_cap) {
    l->breaks_cap = l->breaks_cap * 2 + 16;
    l->breaks = xrealloc(l->breaks, l->breaks_cap * sizeof(Break));
  }
  Break *b = &l->breaks[l->nbreaks++];
  b->at = (uint32_t)l->line.len;
  b->depth = l->depth;
}

// Returns where to break the line that begins at `from` and has room for so many bytes; 0: nowhere.
static uint32_t best_break(const Layout *l, uint32_t from, size_t room) {
  uint32_t best = 0;
  int depth = 0;
  for (size_t i = 0; i < l->nbreaks; i++) {
    const Break *b = &l->breaks[i];
    if (b->at <= from + 8)
      continue;
    if (b->at > from + room && best)
      break;
    if (!best || b->depth <= depth) {
      best = b->at;
      depth = b->depth;
    }
  }
  return best;
}

static void put_wrapped(Layout *l) {
  uint32_t from = 0;
  int indent = l->indent;
  for (;;) {
    size_t room = (size_t)(LINE_WIDTH - line_left(indent));
    uint32_t to = l->line.len - from > room ? best_break(l, from, room) : 0;
    put_indent(l->out, indent);
    if (!to)
      break;
    uint32_t stop = to;
    while (stop > from && l->line.data[stop - 1] == ' ')
      stop--;
    buf_add(l->out, l->line.data + from, stop - from);
    buf_putc(l->out, '\n');
    indent = l->indent + 2;
    for (from = to; l->line.data[from] == ' ';)
      from++;
  }
  buf_add(l->out, l->line.data + from, l->line.len - from);
}

void line_end(Layout *l) {
  if (!l->line.len)
    return;
  size_t width = l->line.len + (size_t)line_left(l->indent);
  Comment *c = l->end_note.len ? NULL : end_comment(l, width);
  if (c)
    c->printed = true;
  if (l->first)
    line_comments_to(l, l->last);
  bool fits = width + l->end_note.len + 5 <= LINE_WIDTH;
  if (l->end_note.len && !fits)
    put_note(l->out, l->indent, l->end_note.data, l->end_note.len);
  put_wrapped(l);
  if (c) {
    buf_puts(l->out, "  ");
    buf_add(l->out, c->at, c->len);
  } else if (l->end_note.len && fits) {
    buf_printf(l->out, "  // %s", l->end_note.data);
  }
  buf_putc(l->out, '\n');
  l->line.len = l->end_note.len = l->nbreaks = 0;
  l->first = l->last = 0;
}

static bool ends_blank(const Buf *out) {
  return out->len < 2 ||
         (out->data[out->len - 1] == '\n' && out->data[out->len - 2] == '\n');
}

void line_blank(Layout *l) {
  if (!ends_blank(l->out))
    buf_putc(l->out, '\n');
}

// ---- pieces of a line ----
bool piece_is_word(const Piece *k) {
  return k->kind == PIECE_NAME || k->kind == PIECE_NUMBER ||
         k->kind == PIECE_QUOTED;
}

bool piece_is_one_of(const Piece *k, const char *const *words) {
  for (; *words; words++)
    if (piece_is(k, *words))
      return true;
  return false;
}

static const char *const tight_after[] = {
  "(", "[", ".", "->", "!", "~", 0,
};
static const char *const tight_before[] = {
  ")", "]", ",", ";", ".", "->", 0,
};
static const char *const before_paren[] = { "if",     "for",  "while", "switch",
                                            "return", "case", "goto",  0 };

static bool would_join(const Piece *a, const Piece *b) {
  char x = a->at[a->len - 1];
  char y = b->at[0];
  return (x == y && strchr("+-&|<>=", x)) || (x == '-' && y == '>') ||
         (y == '=' && strchr("+-*/%&|^<>!", x)) || (x == '/' && y == '*');
}

size_t opening_piece(const Layout *l, size_t i) {
  int depth = 0;
  do {
    const Piece *k = &l->pieces.at[i];
    depth += piece_is(k, ")") - piece_is(k, "(");
  } while (depth && i-- > 0);
  return i;
}

// The parenthesis before the next piece closes `__typeof__(…)`.
static bool closes_typeof(const Layout *l) {
  size_t open = opening_piece(l, l->i - 1);
  return open && piece_is(&l->pieces.at[open - 1], "__typeof__");
}

typedef enum Space {
  NO_SPACE,
  SPACE,
  UNDECIDED,
} Space;

static Space space_if(bool needed) {
  return needed ? SPACE : NO_SPACE;
}

static Space space_at_word(const Layout *l, const Piece *a, const Piece *b) {
  if (piece_is_word(b) && (piece_is_word(a) || piece_is(a, "}")))
    return SPACE;
  if (a->kind == PIECE_NAME && piece_is(b, "*"))
    return SPACE;
  if (piece_is_one_of(a, before_paren) && piece_is(b, "("))
    return SPACE;
  if (piece_is(b, "...") || piece_is(a, "..."))
    return space_if(piece_is(a, ",") || b->space);
  if (piece_is_one_of(b, tight_before))
    return space_if(b->space && piece_is(b, ".") && !piece_is_word(a) &&
                    !piece_is(a, ")"));
  if (piece_is_one_of(a, tight_after))
    return NO_SPACE;
  return piece_is(a, ")") && piece_is_word(b) && closes_typeof(l) ? SPACE
                                                                  : UNDECIDED;
}

static Space space_at_brace(const Layout *l, const Piece *a, const Piece *b) {
  bool opens = piece_is(a, "{");
  bool closes = piece_is(b, "}");
  if (opens || closes)
    return space_if(!(opens && closes));
  if (piece_is(b, "{"))
    return space_if(!l->literal || !piece_is(a, ")"));
  return UNDECIDED;
}

static bool needs_space(const Layout *l, const Piece *a, const Piece *b) {
  Space space = space_at_word(l, a, b);
  if (space == UNDECIDED)
    space = space_at_brace(l, a, b);
  if (space != UNDECIDED)
    return space == SPACE;
  if (piece_is(a, ",") || piece_is(a, ";"))
    return true;
  bool called = a->kind == PIECE_NAME && !piece_is(a, "__extension__");
  if (piece_is(b, "(") && called)
    return b->space && piece_is(piece_ahead(l, 1), "*");
  return b->space || would_join(a, b);
}

static void note_depth(Layout *l, const Piece *k) {
  if (k->kind != PIECE_SIGN || k->len != 1)
    return;
  if (strchr("([", *k->at))
    l->depth++;
  else if (strchr(")]", *k->at))
    l->depth--;
}

// Notes a place where the line may be broken: before an operator or after a comma, not inside an
// operand.
static void note_place(Layout *l, const Piece *a, const Piece *b) {
  static const char *const before[] = { "&&", "||", "?", ":",  "+",  "-",
                                        "|",  "/",  "*", "==", "!=", 0 };
  if (piece_is(a, ",") || piece_is(a, ";") || piece_is(a, "=") ||
      (a->kind == PIECE_QUOTED && b->kind == PIECE_QUOTED))
    note_break(l);
  else if (b->space && piece_is_one_of(b, before) && piece_ahead(l, 1)->space)
    note_break(l); // not before `*x`, which is a declarator
  else if (piece_is(a, "(") && b->len > 30)
    note_break(l);
  else if (piece_is(a, ")") && piece_is(b, "__attribute__"))
    note_break(l);
}

void line_put(Layout *l) {
  const Piece *k = piece_now(l);
  const Piece *before = l->i ? &l->pieces.at[l->i - 1] : k;
  if (l->line.len && needs_space(l, before, k))
    buf_putc(&l->line, ' ');
  if (piece_is(k, ")") || piece_is(k, "]"))
    note_depth(l, k);
  if (l->line.len)
    note_place(l, before, k);
  if (!piece_is(k, ")") && !piece_is(k, "]"))
    note_depth(l, k);
  buf_add(&l->line, k->at, k->len);
  if (k->origin) {
    l->first = l->first ? l->first : k->origin;
    l->last = k->origin > l->first ? k->origin : l->last;
    if (l->last < l->first)
      l->last = l->first;
  }
  l->i++;
}

// A note in the middle of a statement stands before it.
bool line_put_extra(Layout *l) {
  const Piece *k = piece_now(l);
  switch (k->kind) {
  case PIECE_NOTE:
    put_note(l->out, l->indent, k->at, k->len);
    break;
  case PIECE_END_NOTE:
    buf_add(&l->end_note, k->at, k->len);
    break;
  case PIECE_WINDOW:
    l->window = k->window;
    break;
  case PIECE_DIRECTIVE:
    line_end(l);
    buf_add(l->out, k->at, k->len);
    buf_putc(l->out, '\n');
    break;
  default:
    return false;
  }
  l->i++;
  return true;
}

void line_take_end_notes(Layout *l) {
  while (piece_now(l)->kind == PIECE_END_NOTE)
    line_put_extra(l);
}
