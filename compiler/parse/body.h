// body.h: the state of the body that is being parsed, and of the function definition around it. A
// Body is the function's own, or that of an activate, an arm, a job or a thunk in it; Unit.body is
// the innermost one. At file scope it is an empty one, so that it is never NULL.
#ifndef FMCC_PARSE_BODY_H
#define FMCC_PARSE_BODY_H

#include "base/types.h"

// a function definition, with all the bodies in it
struct Definition {
  bool strict;  // it uses the dialect: no undeclared function may be called
  Thrown *kept; // tasks that local variables were given
  Vec jobs;     // Async *: the bodies of its jobs and thunks
  Vec mentions; // Node *: names of automatic variables, in async bodies
  int nested;   // how many nested functions are open
  Vec bodies;   // Async *: the bodies in it, for the witness
  Vec labels;   // Ident *: all its labels, for the witness
};

struct Body {
  Body *outer;       // the body around this one; NULL: this is file scope
  Definition *whole; // the function definition that it belongs to
  Symbol *func;      // the function; NULL: at file scope
  Async *async;      // the function, if it may pause; else NULL

  // around the token that is being parsed
  int atomic_depth;               // number of `atomic`
  TokIndex loop;                  // the outermost loop; 0: none
  int breakable, loops, switches; // breakable: loops and switches together
  int cleanup;                    // number of finally and defer
  Try *tries;
  Catch *catching; // the catch whose block it is in, or NULL
  // Unit.scope_depth in the block of the statement expression; 0: none
  int value_depth;

  // found in the body so far
  Thrown *thrown; // the places that may throw
  int npauses;    // nodes with NF_PAUSE
  int nthrows;    // of these: calls that cannot pause, but throw
  int natomics;   // statements that have to be lowered
};

// ---- body.c ----
// a: NULL if the body cannot pause
void body_enter(Unit *u, Symbol *func, Async *a);
void body_leave(Unit *u);
void body_leave_all(Unit *u); // after an error: back to file scope
// a body that stands inside a function, for messages
const char *body_word(const Unit *u);

#endif
