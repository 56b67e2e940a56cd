// versions.h: functions that versions.c and one-body.c share: they print the parts of a version.
#ifndef FMCC_EMIT_VERSIONS_H
#define FMCC_EMIT_VERSIONS_H

#include "emit/layout.h"

// Sets the printer up for a version of the function.
void begin_version(Printer *p, Async *a, Version v);
// For readers: the comments of the function's body go to the text that follows.
void open_window(Printer *p, Async *a);
// `f__fm_frame *fm__f = f__fm_start(…`: a frame made of the arguments
void print_made_frame(Printer *p, Async *a);
void print_user_body(Printer *p, Async *a); // the lowered body
// Uses parameters that the C compiler would call unused: those without a name, and those that only
// hoisted declarations use.
void use_nameless(Printer *p, Async *a);
bool is_hoisted(const Local *k); // declared at the head of the resume version
void declare_hoisted(Printer *p, Async *a);
void use_hoisted(Printer *p, Async *a);
void print_load(Printer *p, const Local *k);  // from its field
void print_store(Printer *p, const Local *k); // into its field
// Loads the variables that the state keeps.
void print_loads(Printer *p, Async *a, int state);
// Prints the jumps to handlers, for a function that is resumed because its callee unwinds.
void print_landings(Printer *p, Async *a);
// Prints the jumps to the pause that the frame's state names.
void print_jumps(Printer *p, Async *a);
// No state before it keeps the same variables. State 0 counts, too.
bool is_first_of_kept(const Async *a, int state);
bool keeps_anything(const Async *a, int state);
// `case 3: case 5: `, for the states that keep the same as `first`
void print_kept_cases(Printer *p, Async *a, int first);

#endif
