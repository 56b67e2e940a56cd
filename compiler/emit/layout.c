// layout.c: pieces of C on lines: one statement a line, indented by its blocks, with notes and the
// user's comments before it or at its end, wrapped where it is too wide. In: pieces (pieces.c).
// Out: text. It knows a small grammar of statements; expressions are copied.
//
//     statement   = "{" statement… "}" | heading statement ["else" statement] | label statement
//                 | "do" statement "while" "(" … ")" ";" | simple ";"
//     simple      = anything; "({" begins statements in it, "struct … {" members, and ") {" after
//                   a declarator the body of a function
#include "emit/layout.h"

#include "base/words.h"

#include <stdlib.h>

enum {
  WIDTH = 100,
  STEP = 2,
  DEEPEST = 20,
};

typedef struct Break { // a line may be broken before `at`
  uint32_t at;
  int depth;
} Break;

typedef struct Layout {
  Unit *u;
  Buf *out;
  Pieces pieces;
  size_t i; // the next piece
  int indent;
  // the line being put together
  Buf line;
  Buf end_note;
  Break *breaks;
  size_t nbreaks;
  size_t breaks_cap;
  int depth;            // of brackets, in this line
  bool literal;         // the brace that comes begins a value, not a block
  TokIndex first, last; // the user's tokens in it
  Comments *comments;
  Range window; // those among these tokens belong to the function
} Layout;

static const Piece *ahead(const Layout *l, size_t n) {
  size_t i = l->i + n;
  return &l->pieces.at[i < l->pieces.len ? i : l->pieces.len - 1];
}

static const Piece *now(const Layout *l) {
  return ahead(l, 0);
}

static bool at(const Layout *l, const char *text) {
  return piece_is(now(l), text);
}

static bool at_end(const Layout *l) {
  return now(l)->kind == PIECE_END;
}

// ---- lines ----
static int left_of(int indent) {
  if (indent < 0)
    return 0;
  return STEP * (indent > DEEPEST ? DEEPEST : indent);
}

static void put_indent(Buf *out, int indent) {
  for (int i = 0, n = left_of(indent); i < n; i++)
    buf_putc(out, ' ');
}

void put_note(Buf *out, int indent, const char *text, size_t len) {
  const char *end = text + len;
  while (text < end) {
    size_t room = (size_t)(WIDTH - 3 - left_of(indent));
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

// A comment of the user's, its further lines moved as far as its first one.
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

static void put_comments_to(Layout *l, TokIndex last) {
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

// No more than what ends the statement stands between the line's last token and the comment.
static bool follows_line(const Layout *l, const Comment *c) {
  if (!c->after || c->anchor < l->first ||
      tok_at(l->u, c->anchor)->line != tok_at(l->u, l->last)->line)
    return false;
  for (TokIndex t = l->last + 1; t <= c->anchor; t++)
    if (!closes_line(kind_at(l->u, t)))
      return false;
  return true;
}

// The comment that stands at the end of this line in the source, too; NULL: none, or no room.
static Comment *end_comment(Layout *l, size_t width) {
  Comment *found = NULL;
  for (size_t i = 0; l->comments && l->first && i < l->comments->len; i++) {
    Comment *c = &l->comments->at[i];
    if (belongs(l, c) && follows_line(l, c))
      found = c;
  }
  if (!found || memchr(found->at, '\n', found->len) ||
      width + found->len + 2 > WIDTH)
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

// where to break what begins at `from` and may have so many bytes; 0: nowhere
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
    size_t room = (size_t)(WIDTH - left_of(indent));
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

static void end_line(Layout *l) {
  if (!l->line.len)
    return;
  size_t width = l->line.len + (size_t)left_of(l->indent);
  Comment *c = l->end_note.len ? NULL : end_comment(l, width);
  if (c)
    c->printed = true;
  if (l->first)
    put_comments_to(l, l->last);
  bool fits = width + l->end_note.len + 5 <= WIDTH;
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

static void blank_line(Layout *l) {
  if (!ends_blank(l->out))
    buf_putc(l->out, '\n');
}

// ---- pieces of a line ----
static bool is_word(const Piece *k) {
  return k->kind == PIECE_NAME || k->kind == PIECE_NUMBER ||
         k->kind == PIECE_QUOTED;
}

static bool one_of(const Piece *k, const char *const *words) {
  for (; *words; words++)
    if (piece_is(k, *words))
      return true;
  return false;
}

static const char *const tight_after[] = { "(", "[", ".", "->", "!", "~", 0 };
static const char *const tight_before[] = { ")", "]", ",", ";", ".", "->", 0 };
static const char *const before_paren[] = { "if",     "for",  "while", "switch",
                                            "return", "case", "goto",  0 };

static bool would_join(const Piece *a, const Piece *b) {
  char x = a->at[a->len - 1];
  char y = b->at[0];
  return (x == y && strchr("+-&|<>=", x)) || (x == '-' && y == '>') ||
         (y == '=' && strchr("+-*/%&|^<>!", x)) || (x == '/' && y == '*');
}

static size_t opening(const Layout *l, size_t i) { // of the parenthesis at i
  int depth = 0;
  do {
    const Piece *k = &l->pieces.at[i];
    depth += piece_is(k, ")") - piece_is(k, "(");
  } while (depth && i-- > 0);
  return i;
}

// the parenthesis before the next piece is that of `__typeof__(…)`
static bool closes_typeof(const Layout *l) {
  size_t open = opening(l, l->i - 1);
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
  if (is_word(b) && (is_word(a) || piece_is(a, "}")))
    return SPACE;
  if (a->kind == PIECE_NAME && piece_is(b, "*"))
    return SPACE;
  if (one_of(a, before_paren) && piece_is(b, "("))
    return SPACE;
  if (piece_is(b, "...") || piece_is(a, "..."))
    return space_if(piece_is(a, ",") || b->space);
  if (one_of(b, tight_before))
    return space_if(b->space && piece_is(b, ".") && !is_word(a) &&
                    !piece_is(a, ")"));
  if (one_of(a, tight_after))
    return NO_SPACE;
  return piece_is(a, ")") && is_word(b) && closes_typeof(l) ? SPACE : UNDECIDED;
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
    return b->space && piece_is(ahead(l, 1), "*");
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

// Before an operator, or after a comma; not in the middle of an operand.
static void note_place(Layout *l, const Piece *a, const Piece *b) {
  static const char *const before[] = { "&&", "||", "?", ":",  "+",  "-",
                                        "|",  "/",  "*", "==", "!=", 0 };
  if (piece_is(a, ",") || piece_is(a, ";") || piece_is(a, "=") ||
      (a->kind == PIECE_QUOTED && b->kind == PIECE_QUOTED))
    note_break(l);
  else if (b->space && one_of(b, before) && ahead(l, 1)->space)
    note_break(l); // not before `*x`, which is a declarator
  else if (piece_is(a, "(") && b->len > 30)
    note_break(l);
  else if (piece_is(a, ")") && piece_is(b, "__attribute__"))
    note_break(l);
}

static void put(Layout *l) { // the next piece
  const Piece *k = now(l);
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
static bool put_extra(Layout *l) {
  const Piece *k = now(l);
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
    end_line(l);
    buf_add(l->out, k->at, k->len);
    buf_putc(l->out, '\n');
    break;
  default:
    return false;
  }
  l->i++;
  return true;
}

static void take_end_notes(Layout *l) {
  while (now(l)->kind == PIECE_END_NOTE)
    put_extra(l);
}

// ---- statements ----
static void statement(Layout *l);

// how many pieces an empty statement or block has that stands here; 0: there is none
static size_t nothing_here(const Layout *l) {
  static const char *const zero[] = { "(", "void", ")", "0", ";" };
  size_t n = 0;
  if (at(l, ";"))
    return 1;
  if (at(l, "{") && piece_is(ahead(l, 1), "}"))
    return 2;
  while (n < 5 && piece_is(ahead(l, n), zero[n]))
    n++;
  return n == 5 ? n : 0;
}

static void skip_nothing(Layout *l) {
  for (size_t n; (n = nothing_here(l));)
    l->i += n;
}

static void statements(Layout *l) { // up to the brace
  skip_nothing(l);
  while (!at_end(l) && !at(l, "}")) {
    statement(l);
    skip_nothing(l);
  }
}

// "{" … "}" at the end of the line that has been begun; what follows "}" comes on its line
static void block(Layout *l) {
  if (piece_is(ahead(l, 1), "}")) {
    put(l);
    put(l);
    return;
  }
  put(l);
  take_end_notes(l);
  end_line(l);
  int depth = l->depth;
  l->depth = 0;
  l->indent++;
  statements(l);
  l->indent--;
  l->depth = depth;
  if (!at_end(l))
    put(l);
}

static void brackets(Layout *l);
static void braced_value(Layout *l);

static bool is_record(const Layout *l) { // `struct … {`: the brace is next
  static const char *const words[] = { "struct", "union", 0 };
  for (size_t i = l->i; i-- > 0;) {
    const Piece *k = &l->pieces.at[i];
    if (one_of(k, words))
      return true;
    if (piece_is(k, ")")) { // of an attribute
      i = opening(l, i);
      if (!i || !piece_is(&l->pieces.at[i - 1], "__attribute__"))
        return false;
    } else if (k->kind != PIECE_NAME) {
      return false;
    }
  }
  return false;
}

static void inside(Layout *l) { // one piece, or what its bracket encloses
  if (put_extra(l))
    return;
  if (at(l, "(") || at(l, "["))
    brackets(l);
  else if (at(l, "{") && is_record(l))
    block(l);
  else if (at(l, "{"))
    braced_value(l);
  else
    put(l);
}

// how wide the value in braces is that stands here, on one line
static size_t value_width(const Layout *l) {
  size_t width = 0;
  int depth = 0;
  for (size_t n = 0;; n++) {
    const Piece *k = ahead(l, n);
    if (k->kind == PIECE_END)
      return width;
    width += k->len + (k->space || is_word(k));
    depth += piece_is(k, "{") - piece_is(k, "}");
    if (!depth)
      return width;
  }
}

// A value in braces: on one line, or each part of it on a line of its own.
static void braced_value(Layout *l) {
  size_t left = (size_t)left_of(l->indent) + l->line.len;
  bool apart = left + value_width(l) + 4 > WIDTH;
  // the parts of a table, or a list that fills its lines
  bool table = piece_is(ahead(l, 1), ".") || piece_is(ahead(l, 1), "{");
  l->literal = true;
  put(l);
  l->literal = false;
  int depth = l->depth;
  if (apart) {
    end_line(l);
    l->indent++;
    l->depth = 0;
  }
  while (!at_end(l) && !at(l, "}")) {
    bool ends = at(l, ",") && apart && table && l->depth == 0;
    inside(l);
    if (ends)
      end_line(l);
  }
  if (apart) {
    end_line(l);
    l->indent--;
    l->depth = depth;
  }
  if (!at_end(l))
    put(l);
}

static void brackets(Layout *l) {
  const char *close = at(l, "(") ? ")" : "]";
  put(l);
  if (at(l, "{") && strcmp(close, ")") == 0) {
    block(l);
  }
  while (!at_end(l) && !at(l, close))
    inside(l);
  if (!at_end(l))
    put(l);
}

// Of a function: the brace comes after a declarator, not in a value.
static bool begins_body(const Layout *l, size_t from, bool assigned) {
  if (!at(l, "{") || assigned || !l->i || l->i == from)
    return false;
  const Piece *first = &l->pieces.at[from];
  return piece_is(&l->pieces.at[l->i - 1], ")") && !piece_is(first, "(") &&
         !piece_is(first, "return");
}

static bool simple(Layout *l) { // true: it was the definition of a function
  size_t from = l->i;
  bool assigned = false;
  while (!at_end(l) && !at(l, ";") && !at(l, "}")) {
    if (begins_body(l, from, assigned)) {
      block(l);
      return true;
    }
    assigned |= at(l, "=");
    inside(l);
  }
  if (at(l, ";"))
    put(l);
  take_end_notes(l);
  end_line(l);
  return false;
}

static void body(Layout *l) { // of a heading, which has been put
  take_end_notes(l);
  while (now(l)->kind == PIECE_NOTE) {
    put_extra(l);
  }
  if (at(l, "{")) {
    block(l);
    return;
  }
  if (at(l, ";")) {
    put(l);
    return;
  }
  end_line(l);
  l->indent++;
  statement(l);
  l->indent--;
}

static void put_to_paren(Layout *l) { // a word and what follows in parentheses
  put(l);
  if (at(l, "("))
    brackets(l);
}

static void if_statement(Layout *l) {
  for (;;) {
    put_to_paren(l);
    body(l);
    if (!at(l, "else"))
      break;
    put(l);
    if (at(l, "if"))
      continue;
    body(l);
    break;
  }
  end_line(l);
}

static void do_statement(Layout *l) {
  put(l);
  body(l);
  put_to_paren(l);
  put(l);
  end_line(l);
}

static void case_label(Layout *l) {
  int open = 0; // conditional operators
  while (!at_end(l) && !(at(l, ":") && !open)) {
    open += at(l, "?") - at(l, ":");
    inside(l);
  }
  put(l);
}

static bool at_label(const Layout *l) {
  if (at(l, "case") || at(l, "default"))
    return true;
  return now(l)->kind == PIECE_NAME && piece_is(ahead(l, 1), ":");
}

// One level to the left. `;` stays: a declaration may follow, which no label may stand before.
static void label(Layout *l) {
  bool is_case = at(l, "case") || at(l, "default");
  l->indent--;
  case_label(l);
  bool empty = nothing_here(l);
  if (empty)
    buf_putc(&l->line, ';');
  skip_nothing(l);
  take_end_notes(l);
  if (!empty && is_case && (at(l, "goto") || at(l, "break"))) {
    while (!at_end(l) && !at(l, ";"))
      put(l);
    put(l);
  }
  end_line(l);
  l->indent++;
}

static bool begins_declaration(const Piece *k) {
  static const char *const words[] = {
    "__typeof__", "typeof", "_Alignas",      "asm", "__asm__",
    "do",         "switch", "__attribute__", 0
  };
  static const char *const others[] = { "return", "goto", "else", 0 };
  if (k->kind != PIECE_NAME || one_of(k, others))
    return false;
  return one_of(k, words) || k[1].kind == PIECE_NAME || piece_is(&k[1], "*") ||
         (piece_is(&k[1], "(") && piece_is(&k[2], "*"));
}

// A block that declares nothing: its statements may stand in the one around it.
static bool declares_nothing(const Layout *l) {
  static const char *const ends[] = { "{", ";", "}", ":", 0 };
  int depth = 0;
  bool begins = false;
  for (size_t n = 0;; n++) {
    const Piece *k = ahead(l, n);
    if (k->kind == PIECE_END || k->kind == PIECE_DIRECTIVE)
      return false;
    if (begins && depth == 1 && begins_declaration(k))
      return false;
    depth += piece_is(k, "{") - piece_is(k, "}");
    if (!depth)
      return true;
    if (k->kind <= PIECE_SIGN)
      begins = one_of(k, ends);
  }
}

static void statement(Layout *l) {
  static const char *const headings[] = { "for", "while", "switch", 0 };
  if (put_extra(l))
    return;
  if (at(l, "{") && declares_nothing(l)) {
    l->i++;
    statements(l);
    l->i++;
  } else if (at(l, "{")) {
    block(l);
    end_line(l);
  } else if (at(l, "if")) {
    if_statement(l);
  } else if (one_of(now(l), headings)) {
    put_to_paren(l);
    body(l);
    end_line(l);
  } else if (at(l, "do")) {
    do_statement(l);
  } else if (at_label(l)) {
    label(l);
  } else if (simple(l)) {
    end_line(l);
  }
}

// ---- a file's declarations ----
static void top(Layout *l) {
  const Piece *k = now(l);
  if (k->kind == PIECE_NOTE)
    blank_line(l);
  size_t from = l->out->len;
  if (put_extra(l))
    return;
  bool function = simple(l);
  if (function) {
    l->indent++;
    put_comments_to(l, l->window.to); // before the brace, which has been put
    l->indent--;
    l->window = (Range){ 0, 0 };
  }
  end_line(l);
  bool lines = l->out->len > from &&
               memchr(l->out->data + from, '\n', l->out->len - from - 1);
  if (function || lines)
    blank_line(l);
}

void lay_out(Unit *u, const Buf *text, Comments *comments, Buf *out) {
  Layout l = {
    .u = u,
    .out = out,
    .comments = comments,
  };
  if (!text->len)
    return;
  split_pieces(u, text, &l.pieces);
  while (!at_end(&l)) {
    while (at(&l, ";") || at(&l, "}"))
      l.i++;
    if (!at_end(&l))
      top(&l);
  }
  free(l.pieces.at);
  free(l.breaks);
  buf_free(&l.line);
  buf_free(&l.end_note);
}
