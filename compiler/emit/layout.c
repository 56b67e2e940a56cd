// layout.c: lays generated C out for people: one statement a line, indented by its blocks. In:
// pieces (pieces.c). Out: text; lines.c puts each line together. This file knows a small grammar of
// statements; expressions are copied:
//
//     statement   = "{" statement… "}" | heading statement ["else" statement] | label statement
//                 | "do" statement "while" "(" … ")" ";" | simple ";"
//     simple      = anything; "({" begins statements in it, "struct … {" members, and ") {" after
//                   a declarator the body of a function
#include "emit/lines.h"

#include <stdlib.h>

// ---- statements ----
static void statement(Layout *l);

// Returns how many pieces the next statement has, if it is empty; 0: it is not.
static size_t nothing_here(const Layout *l) {
  static const char *const zero[] = { "(", "void", ")", "0", ";" };
  size_t n = 0;
  if (at_piece(l, ";"))
    return 1;
  if (at_piece(l, "{") && piece_is(piece_ahead(l, 1), "}"))
    return 2;
  while (n < 5 && piece_is(piece_ahead(l, n), zero[n]))
    n++;
  return n == 5 ? n : 0;
}

static void skip_nothing(Layout *l) {
  for (size_t n; (n = nothing_here(l));)
    l->i += n;
}

// Lays out statements up to the closing brace.
static void statements(Layout *l) {
  skip_nothing(l);
  while (!at_last_piece(l) && !at_piece(l, "}")) {
    statement(l);
    skip_nothing(l);
  }
}

// Lays out "{" … "}". "{" ends the line that has been begun; "}" begins the next line, which the
// caller ends.
static void block(Layout *l) {
  if (piece_is(piece_ahead(l, 1), "}")) {
    line_put(l);
    line_put(l);
    return;
  }
  line_put(l);
  line_take_end_notes(l);
  line_end(l);
  int depth = l->depth;
  l->depth = 0;
  l->indent++;
  statements(l);
  l->indent--;
  l->depth = depth;
  if (!at_last_piece(l))
    line_put(l);
}

static void brackets(Layout *l);
static void braced_value(Layout *l);

// The next piece is the brace of `struct … {`.
static bool is_record(const Layout *l) {
  static const char *const words[] = { "struct", "union", 0 };
  for (size_t i = l->i; i-- > 0;) {
    const Piece *k = &l->pieces.at[i];
    if (piece_is_one_of(k, words))
      return true;
    if (piece_is(k, ")")) { // the end of an attribute
      i = opening_piece(l, i);
      if (!i || !piece_is(&l->pieces.at[i - 1], "__attribute__"))
        return false;
    } else if (k->kind != PIECE_NAME) {
      return false;
    }
  }
  return false;
}

// Puts the next piece; if it is a bracket, with all that it encloses.
static void inside(Layout *l) {
  if (line_put_extra(l))
    return;
  if (at_piece(l, "(") || at_piece(l, "["))
    brackets(l);
  else if (at_piece(l, "{") && is_record(l))
    block(l);
  else if (at_piece(l, "{"))
    braced_value(l);
  else
    line_put(l);
}

// Returns the width of the next value in braces, on one line.
static size_t value_width(const Layout *l) {
  size_t width = 0;
  int depth = 0;
  for (size_t n = 0;; n++) {
    const Piece *k = piece_ahead(l, n);
    if (k->kind == PIECE_END)
      return width;
    width += k->len + (k->space || piece_is_word(k));
    depth += piece_is(k, "{") - piece_is(k, "}");
    if (!depth)
      return width;
  }
}

// Lays out a value in braces: on one line, or with each part on a line of its own.
static void braced_value(Layout *l) {
  size_t left = (size_t)line_left(l->indent) + l->line.len;
  bool apart = left + value_width(l) + 4 > LINE_WIDTH;
  // a table has each part on a line; a list fills its lines
  bool table =
      piece_is(piece_ahead(l, 1), ".") || piece_is(piece_ahead(l, 1), "{");
  l->literal = true;
  line_put(l);
  l->literal = false;
  int depth = l->depth;
  if (apart) {
    line_end(l);
    l->indent++;
    l->depth = 0;
  }
  while (!at_last_piece(l) && !at_piece(l, "}")) {
    bool ends = at_piece(l, ",") && apart && table && l->depth == 0;
    inside(l);
    if (ends)
      line_end(l);
  }
  if (apart) {
    line_end(l);
    l->indent--;
    l->depth = depth;
  }
  if (!at_last_piece(l))
    line_put(l);
}

static void brackets(Layout *l) {
  const char *close = at_piece(l, "(") ? ")" : "]";
  line_put(l);
  if (at_piece(l, "{") && strcmp(close, ")") == 0) {
    block(l);
  }
  while (!at_last_piece(l) && !at_piece(l, close))
    inside(l);
  if (!at_last_piece(l))
    line_put(l);
}

// The next brace begins the body of a function: it follows a declarator, not a value.
static bool begins_body(const Layout *l, size_t from, bool assigned) {
  if (!at_piece(l, "{") || assigned || !l->i || l->i == from)
    return false;
  const Piece *first = &l->pieces.at[from];
  return piece_is(&l->pieces.at[l->i - 1], ")") && !piece_is(first, "(") &&
         !piece_is(first, "return");
}

// Lays out a simple statement or a declaration. Returns true if it was the definition of a
// function.
static bool simple(Layout *l) {
  size_t from = l->i;
  bool assigned = false;
  while (!at_last_piece(l) && !at_piece(l, ";") && !at_piece(l, "}")) {
    if (begins_body(l, from, assigned)) {
      block(l);
      return true;
    }
    assigned |= at_piece(l, "=");
    inside(l);
  }
  if (at_piece(l, ";"))
    line_put(l);
  line_take_end_notes(l);
  line_end(l);
  return false;
}

// Lays out the body of a heading that has been put.
static void body(Layout *l) {
  line_take_end_notes(l);
  while (piece_now(l)->kind == PIECE_NOTE) {
    line_put_extra(l);
  }
  if (at_piece(l, "{")) {
    block(l);
    return;
  }
  if (at_piece(l, ";")) {
    line_put(l);
    return;
  }
  line_end(l);
  l->indent++;
  statement(l);
  l->indent--;
}

// Puts a word and the parentheses after it.
static void put_to_paren(Layout *l) {
  line_put(l);
  if (at_piece(l, "("))
    brackets(l);
}

static void if_statement(Layout *l) {
  for (;;) {
    put_to_paren(l);
    body(l);
    if (!at_piece(l, "else"))
      break;
    line_put(l);
    if (at_piece(l, "if"))
      continue;
    body(l);
    break;
  }
  line_end(l);
}

static void do_statement(Layout *l) {
  line_put(l);
  body(l);
  put_to_paren(l);
  line_put(l);
  line_end(l);
}

static void case_label(Layout *l) {
  int open = 0; // conditional operators whose `:` has not come
  while (!at_last_piece(l) && !(at_piece(l, ":") && !open)) {
    open += at_piece(l, "?") - at_piece(l, ":");
    inside(l);
  }
  line_put(l);
}

static bool at_label(const Layout *l) {
  if (at_piece(l, "case") || at_piece(l, "default"))
    return true;
  return piece_now(l)->kind == PIECE_NAME && piece_is(piece_ahead(l, 1), ":");
}

// Lays out a label, one level to the left. Its `;` stays, because a declaration may follow.
static void label(Layout *l) {
  bool is_case = at_piece(l, "case") || at_piece(l, "default");
  l->indent--;
  case_label(l);
  bool empty = nothing_here(l);
  if (empty)
    buf_putc(&l->line, ';');
  skip_nothing(l);
  line_take_end_notes(l);
  if (!empty && is_case && (at_piece(l, "goto") || at_piece(l, "break"))) {
    while (!at_last_piece(l) && !at_piece(l, ";"))
      line_put(l);
    line_put(l);
  }
  line_end(l);
  l->indent++;
}

static bool begins_declaration(const Piece *k) {
  static const char *const words[] = {
    "__typeof__", "typeof", "_Alignas",      "asm", "__asm__",
    "do",         "switch", "__attribute__", 0
  };
  static const char *const others[] = {
    "return",
    "goto",
    "else",
    0,
  };
  if (k->kind != PIECE_NAME || piece_is_one_of(k, others))
    return false;
  return piece_is_one_of(k, words) || k[1].kind == PIECE_NAME ||
         piece_is(&k[1], "*") || (piece_is(&k[1], "(") && piece_is(&k[2], "*"));
}

// The next block declares nothing, so its statements may stand in the block around it.
static bool declares_nothing(const Layout *l) {
  static const char *const ends[] = { "{", ";", "}", ":", 0 };
  int depth = 0;
  bool begins = false;
  for (size_t n = 0;; n++) {
    const Piece *k = piece_ahead(l, n);
    if (k->kind == PIECE_END || k->kind == PIECE_DIRECTIVE)
      return false;
    if (begins && depth == 1 && begins_declaration(k))
      return false;
    depth += piece_is(k, "{") - piece_is(k, "}");
    if (!depth)
      return true;
    if (k->kind <= PIECE_SIGN)
      begins = piece_is_one_of(k, ends);
  }
}

static void statement(Layout *l) {
  static const char *const headings[] = {
    "for",
    "while",
    "switch",
    0,
  };
  if (line_put_extra(l))
    return;
  if (at_piece(l, "{") && declares_nothing(l)) {
    l->i++;
    statements(l);
    l->i++;
  } else if (at_piece(l, "{")) {
    block(l);
    line_end(l);
  } else if (at_piece(l, "if")) {
    if_statement(l);
  } else if (piece_is_one_of(piece_now(l), headings)) {
    put_to_paren(l);
    body(l);
    line_end(l);
  } else if (at_piece(l, "do")) {
    do_statement(l);
  } else if (at_label(l)) {
    label(l);
  } else if (simple(l)) {
    line_end(l);
  }
}

// ---- a file's declarations ----
static void top(Layout *l) {
  const Piece *k = piece_now(l);
  if (k->kind == PIECE_NOTE)
    line_blank(l);
  size_t from = l->out->len;
  if (line_put_extra(l))
    return;
  bool function = simple(l);
  if (function) {
    l->indent++;
    line_comments_to(l, l->window.to); // before the brace, which has been put
    l->indent--;
    l->window = (Range){ 0, 0 };
  }
  line_end(l);
  bool lines = l->out->len > from &&
               memchr(l->out->data + from, '\n', l->out->len - from - 1);
  if (function || lines)
    line_blank(l);
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
  while (!at_last_piece(&l)) {
    while (at_piece(&l, ";") || at_piece(&l, "}"))
      l.i++;
    if (!at_last_piece(&l))
      top(&l);
  }
  free(l.pieces.at);
  free(l.breaks);
  buf_free(&l.line);
  buf_free(&l.end_note);
}
