// print-async.h: what print-async.c (expressions, declarations) and print-pause.c (statements)
// share.
#ifndef FMCC_EMIT_PRINT_ASYNC_H
#define FMCC_EMIT_PRINT_ASYNC_H

#include "fmcc.h"

void print_number(Printer *p, const char *before, long n, const char *after);
Node *bare_callee(Node *e); // without parentheses and stars
// domain: the first argument, or NULL
void print_call(Printer *p,
                Node *call,
                const char *version,
                const char *domain);
// a declaration of `name` for its value
void print_value_type(Printer *p, Node *e, const char *name);
void print_value_at(Printer *p, Node *e);  // *(T *): the value at an address
const char *await_function(Node *e);       // the runtime's, for a task or a job
void print_copies(Printer *p, Node *list); // `, x, y`
void print_spawn(Printer *p, Node *e);
void print_root(Printer *p, Node *e); // the frame that an activity begins with
void print_rt(Printer *p, Node *e);   // a call of the runtime
bool yielding(Printer *p);            // not the atomic version, nor plain code

#endif
