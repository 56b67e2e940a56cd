// lower.h: the interface of this folder. Lowering rewrites the body of each async function, so that
// each pause is a statement of its own, N_PAUSE. The code that runs when a block is left (defer,
// finally, the end of a scope …) becomes statements as well. lower/lowering.h has the declarations
// that only the files of this folder share.
#ifndef FMCC_LOWER_LOWER_H
#define FMCC_LOWER_LOWER_H

#include "base/types.h"

// ---- hoist.c: declarations that move from a body to file scope ----
// A `mark` is the length of the list of mentions (note_mention()) where the text begins.

// One hoisted declaration.
typedef struct Hoisted {
  Range range; // the definition of a tag; empty if decl is set
  Decl *decl;  // a typedef or a static object; or NULL
} Hoisted;
// Notes a name in an expression, if it names an automatic variable of an async function.
void note_mention(Unit *u, Node *e);
// Replaces the automatic variables that the text from `from` on mentions by lvalues of their types.
void detach(Unit *u, size_t mark, TokIndex from);
// Returns a name that nothing else has, made from the user's name (NULL: there is none).
const char *hoisted_name(Unit *u, const Ident *name);
// Adds the definition of a tag to the hoisted declarations of the function being parsed.
void hoist_tag(Unit *u, size_t mark, Range definition);
// Adds a typedef or a static object to them, under a new name.
void hoist_decl(Unit *u, Decl *d);
// In hoisted text: prints an lvalue of the type of s, if s is an automatic variable. Returns false
// if it printed nothing, and the name of s can stand there.
bool print_detached(Printer *p, const Symbol *s);
// Prints the hoisted declarations of the function.
void print_hoisted(Printer *p, Async *a);
// Gives a name to a type without one that the declaration of the async function `declared` defines:
// the definition will stand before the function.
void name_definition(Unit *u, const Specs *s, const Ident *declared);
// Prints `struct s { … };`, if these specifiers define a type.
void print_definition(Printer *p, const Specs *s);

// ---- lower-expr.c ----
// The call in an N_PAUSE may pause. False: the call may only throw.
bool pauses_there(const Node *call);

// ---- lower-stmt.c ----
// The pass `lower`, for each function of the unit that uses the dialect.
void lower_unit(Unit *u);

// ---- lower-errors.c ----
// The name of an error's type, as fm_error_name() returns it.
const char *error_type_name(Type *t);

// ---- entry.c ----
// Sets Async.entry if the check on entry can stand later than at the beginning.
void sink_entry(Async *a);

// ---- merge-yields.c ----
// The pass `merge`: of automatic yields with nothing between them, one stays.
void merge_unit(Unit *u);
// No other activity can notice whether the expression, or the statement, is evaluated before or
// after a switch.
bool unseen(const Node *e);
bool unseen_statement(const Node *s);

// ---- tail.c: tail calls, `return f(x);` ----
// Warns of each that keeps the frame of this function (-Wtail-call). After live_unit().
void warn_kept_tails(Async *a);
// The callee of the tail call at `at` may use something in this function's frame, so that the frame
// stays until the callee has ended. After residents_unit().
bool tail_keeps_frame(const Async *a, TokIndex at);
// Some tail call of the function frees the function's frame. After live_unit().
bool gives_frame_away(const Async *a);

#endif
