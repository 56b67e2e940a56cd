// lines.h: a line of readable C while it is put together. layout.c decides where lines end; lines.c
// puts pieces on a line, with blanks between them, and wraps it.
#ifndef LINES_H
#define LINES_H

#include "emit/layout.h"

enum { LINE_WIDTH = 100 };

// A place where the line may be broken.
typedef struct Break {
  uint32_t at; // an offset in Layout.line
  int depth;   // of the brackets around it
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
  int depth;            // of open brackets in this line
  bool literal;         // the next brace begins a value, not a block
  TokIndex first, last; // the first and last of the user's tokens in it
  Comments *comments;
  Range window; // comments among these tokens belong to the function
} Layout;

static inline const Piece *piece_ahead(const Layout *l, size_t n) {
  size_t i = l->i + n;
  return &l->pieces.at[i < l->pieces.len ? i : l->pieces.len - 1];
}

static inline const Piece *piece_now(const Layout *l) {
  return piece_ahead(l, 0);
}

static inline bool at_piece(const Layout *l, const char *text) {
  return piece_is(piece_now(l), text);
}

static inline bool at_last_piece(const Layout *l) {
  return piece_now(l)->kind == PIECE_END;
}

// ---- lines.c ----
bool piece_is_word(const Piece *k); // a name, a number or a literal
bool piece_is_one_of(const Piece *k, const char *const *words);
// Returns the index of the piece that opens the parenthesis that closes at i.
size_t opening_piece(const Layout *l, size_t i);
int line_left(int indent); // the number of blanks before a line
// Puts the next piece on the line.
void line_put(Layout *l);
// Puts a note or directive, if that is next. Returns false if it is another piece.
bool line_put_extra(Layout *l);
// Takes the notes that come next, which stand at the end of the line.
void line_take_end_notes(Layout *l);
// Ends the line, if it has a piece: with its comments and its note, wrapped if it is too wide.
void line_end(Layout *l);
// Writes an empty line, unless there is one already.
void line_blank(Layout *l);
// Writes the user's comments up to the token `last`, on lines of their own.
void line_comments_to(Layout *l, TokIndex last);

#endif
