// versions.h: what versions.c and one-body.c share: the parts of which a version is made.
#ifndef FMCC_EMIT_VERSIONS_H
#define FMCC_EMIT_VERSIONS_H

#include "emit/layout.h"

bool is_main(const Async *a);
void begin_version(Printer *p, Async *a, Version v);
// The comments of the function's body belong to the version that is printed first.
void open_window(Printer *p, Async *a);
// f__fm_frame *fm__f = the frame, made of the arguments;
void print_made_frame(Printer *p, Async *a);
void print_user_body(Printer *p, Async *a);
// Uses of parameters of which the C compiler would say that they are unused: nameless ones, and
// those that only declarations at file scope ask for.
void use_nameless(Printer *p, Async *a);
bool is_hoisted(const Local *k); // declared at the head of the resume version
void declare_hoisted(Printer *p, Async *a);
void use_hoisted(Printer *p, Async *a);
void print_load(Printer *p, const Local *k);
void print_store(Printer *p, const Local *k);
void print_loads(Printer *p,
                 Async *a,
                 int state); // of the variables that the state keeps
// Resumed because what it waited for unwinds: goes on at the handler.
void print_landings(Printer *p, Async *a);
void print_jumps(Printer *p, Async *a); // to the pause that the state names
// Of the pauses that keep the same as this one; 0 counts, too: `case 3: case 5: `.
bool is_first_of_kept(const Async *a, int state);
bool keeps_anything(const Async *a, int state);
void print_kept_cases(Printer *p, Async *a, int first);

#endif
