// emit.h: the text of the translated unit: what is copied, and what an async function becomes.
#ifndef FMCC_EMIT_EMIT_H
#define FMCC_EMIT_EMIT_H

#include "emit/print.h"

// ---- emit.c: the unit ----
void emit_unit(Unit *u, Buf *out);
void emit_item_alone(Unit *u, Item *it, Buf *out); // one declaration
// readable.c: the unit for people
void emit_readable(Unit *u, Buf *out);

// ---- definition.c: an async function as C ----
void emit_async(Async *a, Buf *out);          // the whole definition
void emit_jobs(Async *a, Item *it, Buf *out); // those of a plain function
void emit_async_prototype(Unit *u, Decl *d, Printer *p);
// What it shares with frame.c and versions.c: text of ours, with its newlines counted; the parts of
// a version's heading.
void print_say(Printer *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
// of variables, as a statement
void print_copy(Printer *p, Type *t, const char *to, const char *from);
void print_args(Printer *p, Type *f); // `, x, y`
// returned: NULL: a frame
void print_header(
    Printer *p, Async *a, const char *what, bool domain, Type *returned);
void print_va_start(Printer *p, Node *e);     // its arguments
void print_file_name(Printer *p, TokIndex t); // as a string
// the value of an fm_code
void print_code_of(Printer *p,
                   Async *a,
                   const char *resume,
                   int nstates,
                   const char *frame,
                   int lands);
// an error goes to the handler s->d, or leaves the function
void print_left(Printer *p, Node *s);
Type *returned(Async *a);
bool returns_void(Async *a);
bool never_comes_back(const Decl *d); // its atomic version
// an async function whose generated functions are static
bool is_internal(const Decl *d);
const char *descriptor_linkage(const Decl *d);

// ---- function-attributes.c ----
void check_async_attributes(Unit *u, Decl *d);
bool has_async_attributes(const Decl *d); // or another name
bool has_attribute(Unit *u, const Symbol *f, const char *name);
void print_function_attributes(Printer *p, const Decl *d, const char *version);
void print_descriptor_attributes(Printer *p, const Decl *d);
// version "": of the descriptor
void print_label(Printer *p, const Decl *d, const char *version);
void print_code_attributes(Printer *p, const Async *a, bool cold);
bool has_code_attributes(const Async *a); // any of these

// ---- frame.c: the frame, start and spill ----
// the lengths in a variably modified type, from the outside in
int vm_lengths(Type *t, Node **exprs, int most);
// as an lvalue of its type; path: `fm__f->`
void print_vm_variable(Printer *p, Local *k, const char *path);
// its lengths are fixed, an array's elements are made
void print_vm_declaration(Printer *p, Local *k);
void print_vla_frees(Printer *p);
// it is an array of variable length that lives in the frame
bool is_vla(const Local *k);
bool has_vla(const Async *a);
void print_frame(Printer *p, Async *a); // its type
// f__fm_start: makes a frame of the arguments
void print_start(Printer *p, Async *a);
void print_spill(Printer *p, Async *a); // f__fm_spill
// the name of what makes its frame: "start", or "full"
const char *full_start(Async *a);
int slot_count(Async *a);
const char *slot_name(Async *a, int slot); // of the field
// the first variable that has that field, or NULL
Local *slot_first(Async *a, int slot);
void print_dummy(Printer *p, Async *a); // returns: the value means nothing
// return f__fm_spill(…): makes the frame, stores what is live, leaves
void print_return_spill(Printer *p, int state, bool after);

// ---- shapes.c: functions whose frames look the same ----
const char *shape_of(Async *a);          // NULL: it has none
const char *type_of_letter(char letter); // of a shape
void print_shape(Printer *p, Async *a);  // its spill, once
const char *start_shape(Async *a); // of what is started; NULL: it has none
void print_start_shape(Printer *p, const char *shape); // once

// ---- versions.c: call, resume, atomic ----
// the declarations of what lowering made
void print_temps(Printer *p, Async *a);
// `if (…) {`: the stack is low, or the slice is over
void print_entry_check(Printer *p, Async *a);
// The head of a call version that makes the frame at once.
void print_call_in_frame(Printer *p, Async *a);
// the check stands at N_ENTRY, not at the beginning
bool enters_late(const Async *a);
void print_call_version(Printer *p, Async *a);
void print_resume_version(Printer *p, Async *a);
// ---- one-body.c: functions with many pauses ----
void print_one_body(Printer *p, Async *a);       // in place of call and resume
void print_call_of_resume(Printer *p, Async *a); // in place of call
bool stores_result(
    Async *a); // one body: its value goes to the frame, if there is one
// ---- versions.c again ----
void print_atomic_version(Printer *p, Async *a);
void print_atomic_thunk(Printer *p, Async *a);
void print_main(Printer *p, Async *a);
// of what is live there, in the resume version
void print_stores(Printer *p, Async *a, int state);

// ---- print-parts.c: large functions ----
void print_goto(Printer *p, const Ident *label);
// break, continue or goto, if something else leads where it leads
bool print_jump_out(Printer *p, const Node *s);
void print_part(Printer *p, Node *s); // N_PART
// leave the function, to come back in `state`; after: see FM_AFTER
void print_stop_part(Printer *p, int state, bool after);
void print_part_end(Printer *p); // the function is left
void print_parts(Printer *p, Async *a);
void print_large_called(Printer *p, Async *a);
void print_large_resumed(Printer *p, Async *a);

// ---- print-async.c: what the versions print differently: expressions, declarations ----
void print_async_expr(Printer *p, Node *e);
bool print_async_decl(Printer *p, Node *s); // false: as in plain C

// ---- print-pause.c: statements ----
// of an operation of the library that has an inline version: see abi-node.h
bool has_inline_version(const Node *call);
// for readers: a comment where the function may pause, and why
void note_pause(Printer *p, TokIndex tok, Why why);
// N_PAUSE, N_TAIL, N_RETURN … in the version being printed
void print_async_stmt(Printer *p, Node *s);

// ---- report.c ----
const char *state_reason(const State *s); // why it is one
void report_async(Unit *u, Buf *out);     // --list-yields, --frame-report

#endif
