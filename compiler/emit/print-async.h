// print-async.h: functions that print-async.c (expressions, declarations) and print-pause.c
// (statements) share.
#ifndef FMCC_EMIT_PRINT_ASYNC_H
#define FMCC_EMIT_PRINT_ASYNC_H

#include "fmcc.h"

void print_number(Printer *p, const char *before, long n, const char *after);
// Returns the callee without parentheses and stars.
Node *bare_callee(Node *e);
// Prints a call of the given generated function of the callee.
void print_call(Printer *p, Node *call, Generated which);
// Declares `name` with the type of e.
void print_value_type(Printer *p, Node *e, const char *name);
// *(T *), where T is the type of e: the address of the value follows
void print_value_at(Printer *p, Node *e);
// Returns the name of the runtime's function that awaits e, a task or a job.
const char *await_function(Node *e);
void print_copies(Printer *p, Node *list); // `, x, y`
void print_spawn(Printer *p, Node *e);
// Prints the frame that an activity begins with: of a call, of an arm, a copy of a job's.
void print_root(Printer *p, Node *e);
void print_rt(Printer *p, Node *e); // a call of the runtime
// The version being printed can pause: it is neither the atomic version nor plain code.
bool yielding(Printer *p);

#endif
