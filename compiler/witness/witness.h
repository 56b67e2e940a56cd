// witness.h: the unit a second time, as plain C in the user's own shape, for the C compiler's
// diagnostics.
#ifndef FMCC_WITNESS_WITNESS_H
#define FMCC_WITNESS_WITNESS_H

#include "base/types.h"

// ---- marks.c ----
typedef enum MarkPlace {
  MARK_BEFORE,
  MARK_INSTEAD,
  MARK_AFTER,
} MarkPlace;
typedef struct Mark {
  TokIndex tok, to; // MARK_INSTEAD: of the tokens up to `to`
  // MARK_AFTER: the token at whose place the text stands; 0: tok
  TokIndex at;
  uint8_t where;
  bool loud;
  // MARK_BEFORE: a statement of its own, before all that belongs to the statement of the token
  bool outside;
  size_t order;
  const char *text;
} Mark;

void witness_mark(Unit *u, Mark m);
void witness_loud(Unit *u, TokIndex t, const char *text);

// ---- witness.c: what the parser marks ----
// In the witness, `text` stands before, after or instead of these tokens. The functions that are
// named after a construct are called when the construct has been read: its last token is the one
// before Unit.p.
void witness_before(Unit *u, TokIndex t, const char *text);
void witness_after(Unit *u, TokIndex t, const char *text);
// Instead of the tokens from … to-1.
void witness_instead(Unit *u, TokIndex from, TokIndex to, const char *text);
void witness_drop(Unit *u, TokIndex t);
void witness_await(Unit *u, Node *n);
void witness_begin(Unit *u,
                   TokIndex keyword,
                   TokIndex operand,
                   const char *result);
void witness_place(Unit *u, TokIndex word);
void witness_completed(Unit *u, TokIndex from, TokIndex to, Type *t);
void witness_value(Unit *u, const Node *n, const Node *last, size_t first);
void witness_within(Unit *u, const Node *n, TokIndex late);
void witness_yield(Unit *u, TokIndex t);
void witness_throw(Unit *u, Node *n);
void witness_defer(Unit *u, Node *n);
void witness_scope(Unit *u, Node *n, TokIndex body, TokIndex other);
void witness_may_throw(Unit *u, TokIndex first, bool declares);
void witness_catch(Unit *u, Node *n, bool first, TokIndex close);
void witness_catch_each(Unit *u, Node *n, TokIndex close);
void witness_each(Unit *u, const Node *n, Async *a);
void witness_try(Unit *u,
                 Node *n,
                 const Try *t,
                 TokIndex body_end,
                 TokIndex catches_end,
                 TokIndex finally);
void witness_shares(Async *a, Symbol *s);
void witness_activate(Unit *u,
                      Node *n,
                      Async *a,
                      TokIndex bracket,
                      TokIndex copies,
                      TokIndex body);
void witness_return(Unit *u, Node *n, bool infers);
void witness_job(Unit *u, Node *n, Async *a, TokIndex body);
void witness_thunk(Unit *u, Node *n, Async *a, TokIndex body);
void witness_race(Unit *u, TokIndex t);
void witness_loop_of_arms(Unit *u, const Node *n, int number);
void witness_arm(Unit *u,
                 const Node *n,
                 int number,
                 const Node *loop,
                 TokIndex value,
                 TokIndex colon);
void witness_direct(Unit *u, TokIndex from, const Decl *d, bool body);
void witness_function(Unit *u);
// ---- job-end.c ----
// the body of a job that has been read; after: the last token of the function around
void witness_job_end(Unit *u, const Async *a, TokIndex after);
void witness_recursion(Unit *u, Range definition, const Ident *name);
void emit_witness(Unit *u, Buf *out);

// ---- place.c: text at the user's lines and columns ----
typedef struct Place {
  Unit *u;
  Buf *out;
  // the place that the C compiler assumes at the end of the text, if it is known
  uint16_t file;
  uint32_t line;
  uint32_t column;
  bool system;
  bool known;
  bool begun;    // the declarations for the text of ours have been put
  uint32_t done; // how much of Unit.text has been read
  // the token that was put last; 0: other text was put after it
  TokIndex last;
  // the tokens of the line whose columns are known
  TokIndex from, to;
  uint32_t *columns;
  bool *ours; // of each: it comes from a macro of the library
  size_t cap;
} Place;
// The column in the user's line of t, or of the macro that it comes from.
uint32_t place_column(Place *p, TokIndex t);
void place_token(Place *p, TokIndex t);
enum { QUIET = false, LOUD = true };
// loud: the compiler may warn about the text.
void place_ours(Place *p, TokIndex t, const char *text, bool loud);
// at the place of a token that has been put before
void place_back(Place *p, TokIndex t, const char *text, bool loud);
void place_header(Place *p, const char *text);
// Puts tokens of system headers as they are, up to `before`. Returns the next token.
TokIndex place_system(Place *p, TokIndex t, TokIndex before);
void place_free(Place *p);

#endif
