// lower.h: the lowering. Afterwards each pause is a statement of its own, N_PAUSE, and everything
// that is done when code is left is a statement, too. lower/lowering.h has what its own files
// share.
#ifndef FMCC_LOWER_LOWER_H
#define FMCC_LOWER_LOWER_H

#include "base/types.h"

// ---- hoist.c: what moves from a body to file scope ----
// A mark is Unit.mentions.len where the text in question begins.

// a tag's definition, a typedef, or a static object
typedef struct Hoisted {
  Range range;
  Decl *decl;
} Hoisted;
// a name in an expression: perhaps of an automatic variable
void note_mention(Unit *u, Node *e);
// the text from there on does not name automatic variables any more
void detach(Unit *u, size_t mark, TokIndex from);
// a name that nothing else has; name: NULL or the user's
const char *hoisted_name(Unit *u, const Ident *name);
// a tag defined in an async function
void hoist_tag(Unit *u, size_t mark, Range definition);
// a typedef or static object of an async function
void hoist_decl(Unit *u, Decl *d);
bool print_detached(Printer *p, const Symbol *s); // false: its name will do
void print_hoisted(Printer *p, Async *a);
// of an async function's type: it will stand before the function
void name_definition(Unit *u, const Specs *s, const Ident *declared);
// `struct s { … };`, if there is one
void print_definition(Printer *p, const Specs *s);

// ---- lower-expr.c ----
// of N_PAUSE; else it is only looked at whether it threw
bool pauses_there(const Node *call);

// ---- lower-stmt.c ----
void lower_unit(Unit *u);

// ---- lower-exit.c ----
const char *error_type_name(Type *t); // as fm_error_name() gives it

// ---- entry.c ----
void sink_entry(Async *a); // before its yields are merged: Async.entry

// ---- merge-yields.c ----
// of automatic yields with nothing between, one stays
void merge_unit(Unit *u);
// no other activity can notice whether it is evaluated before or after a switch
bool unseen(const Node *e);
bool unseen_statement(const Node *s); // likewise

// ---- tail.c: -Wtail-call ----
void warn_kept_tails(Async *a); // after live_unit(): -Wtail-call
// after residents_unit(): `return f(x);` at `at` needs what is in the frame
bool tail_keeps_frame(const Async *a, TokIndex at);
// after live_unit(): some `return f(x);` does not
bool gives_frame_away(const Async *a);

#endif
