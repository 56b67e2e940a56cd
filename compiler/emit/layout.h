// layout.h: the readable form: generated C as people write it. The printers write text without
// layout, and notes between its tokens (print_note); pieces.c splits it, layout.c puts it on lines.
#ifndef LAYOUT_H
#define LAYOUT_H

#include "fmcc.h"

static inline bool for_readers(const Printer *p) {
  return p->u->opt.readable;
}

// ---- notes: comments for the reader; the compiled form has none ----
// A comment before the next statement.
void print_note(Printer *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
// A comment at the end of the line.
void print_end_note(Printer *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
// The next text is made of these tokens, so it gets the user's comments among them.
void print_window(Printer *p, TokIndex from, TokIndex to);
// The next text comes from token t.
void print_origin(Printer *p, TokIndex t);

// ---- pieces of generated text (pieces.c) ----
typedef enum PieceKind {
  PIECE_END,
  PIECE_NAME,
  PIECE_NUMBER,
  PIECE_QUOTED, // a string or character
  PIECE_SIGN,   // a punctuator
  PIECE_NOTE,
  PIECE_END_NOTE,
  PIECE_DIRECTIVE, // a line that begins with #
  PIECE_WINDOW,    // window
} PieceKind;
typedef struct Piece {
  const char *at;
  uint32_t len;
  uint8_t kind;    // PieceKind
  bool space;      // a blank or newline stands before it
  TokIndex origin; // the user's token, or 0
  Range window;
} Piece;
typedef struct Pieces {
  Piece *at;
  size_t len, cap; // at[len - 1] is PIECE_END
} Pieces;
// Splits the text; generated names are replaced by readable ones. The pieces point into text and
// into the arena.
void split_pieces(Unit *u, const Buf *text, Pieces *out);
bool piece_is(const Piece *k, const char *text);
// Returns the readable form of a generated name; NULL: it has none. member: it follows `.` or `->`.
const char *readable_name(Unit *u, const char *s, size_t len, bool member);

// ---- the user's comments (source-text.c) ----
typedef struct Comment {
  const char *at;
  uint32_t len;
  uint32_t line;
  uint32_t column;
  // it stands before that token, or, on the same line, after it
  TokIndex anchor;
  bool after;
  bool printed;
} Comment;
typedef struct Comments {
  Comment *at;
  size_t len, cap;
} Comments;

// Lays the text out at the end of `out`. comments: those of the file from which the text was made,
// or NULL.
void lay_out(Unit *u, const Buf *text, Comments *comments, Buf *out);
// Writes a generated comment on lines of its own.
void put_note(Buf *out, int indent, const char *text, size_t len);

#endif
