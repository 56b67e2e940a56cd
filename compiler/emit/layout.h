// layout.h: generated C as people write it. The printers write text of any shape, and notes between
// its tokens (print_note); layout.c puts it on lines.
#ifndef LAYOUT_H
#define LAYOUT_H

#include "fmcc.h"

static inline bool for_readers(const Printer *p) {
  return p->u->opt.readable;
}

// ---- notes: what the printers say to the reader; nothing is printed in the compiled form ----
// a comment before the statement that follows
void print_note(Printer *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
// a comment at the end of the line
void print_end_note(Printer *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
// the text that follows is made of these tokens: the user's comments among them belong to it
void print_window(Printer *p, TokIndex from, TokIndex to);
// the text that follows comes from token t
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
// Names of ours are replaced by readable ones. The pieces point into text and into the arena.
void split_pieces(Unit *u, const Buf *text, Pieces *out);
bool piece_is(const Piece *k, const char *text);
// the readable form of a name of ours, or NULL: it stays
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

// Laid out at the end of `out`. comments: of the file from which the text was made, or NULL.
void lay_out(Unit *u, const Buf *text, Comments *comments, Buf *out);
// a comment of ours on lines of its own
void put_note(Buf *out, int indent, const char *text, size_t len);

#endif
