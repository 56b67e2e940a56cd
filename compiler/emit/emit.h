// emit.h: the interface of this folder: the text of the translated unit. Plain C is copied; each
// async function is printed as its frame, its descriptor and its versions. print.h has the printer.
#ifndef FMCC_EMIT_EMIT_H
#define FMCC_EMIT_EMIT_H

#include "emit/print.h"

// ---- emit.c: the unit ----
// Appends the translated unit to `out`; or one declaration of it.
void emit_unit(Unit *u, Buf *out);
void emit_item_alone(Unit *u, Item *it, Buf *out);
// readable.c: --emit-c, the unit for people
void emit_readable(Unit *u, Buf *out);

// The C functions that an async function f becomes, and its descriptor.
typedef enum Generated {
  GEN_DESCRIPTOR, // f itself
  GEN_CALL,       // f__fm_call, and so on
  GEN_ATOMIC,
  GEN_START,
  GEN_FULL, // makes the whole frame, if start makes a small one
  // of operations of the library, see print-pause.c
  GEN_LAST,
  GEN_INLINE,
  GEN_INLINE_LAST,
  GEN_RARE,
  GEN_RARE_LAST,
} Generated;

// ---- definition.c: an async function as C ----
// Returns NAME of f__fm_NAME; "": of the descriptor.
const char *generated_name(Generated which);
bool takes_domain(Generated which);  // the domain is its first parameter
bool returns_frame(Generated which); // not a value
void emit_async(Async *a, Buf *out); // the whole definition
// The functions of the jobs and thunks in a plain function.
void emit_jobs(Async *a, Item *it, Buf *out);
// The declarations that an async prototype becomes.
void emit_async_prototype(Unit *u, Decl *d, Printer *p);
// Prints generated text, and counts its newlines.
void print_say(Printer *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
// `to = from;`, also for structures with const members
void print_copy(Printer *p, Type *t, const char *to, const char *from);
void print_args(Printer *p, Type *f); // the parameters as arguments: `, x, y`
void print_plain_args(Printer *p, Type *f); // `x, y`
// Prints the heading of a generated function.
void print_header(Printer *p, Async *a, Generated which);
void print_va_start(Printer *p, Node *e); // the arguments of the call e
// Prints the name of the token's file as a string literal.
void print_file_name(Printer *p, TokIndex t);
// Prints the value of an fm_code.
void print_code_of(Printer *p,
                   Async *a,
                   const char *resume,
                   int nstates,
                   const char *frame,
                   int lands);
// Prints the way of an error out of statement s: to the handler s->d, or out of the function.
void print_left(Printer *p, Node *s);
Type *returned(Async *a); // the returned type, without qualifiers
bool returns_void(Async *a);
// The atomic version is a C function that does not return.
bool never_comes_back(const Decl *d);
// The generated functions are static.
bool is_internal(const Decl *d);
const char *descriptor_linkage(const Decl *d);

// ---- function-attributes.c ----
// Reports attributes that an async function cannot have, and reads those that number parameters.
void check_async_attributes(Unit *u, Decl *d);
// The declaration has attributes, or another name (`asm ("name")`).
bool has_async_attributes(const Decl *d);
bool has_attribute(Unit *u, const Symbol *f, const char *name);
// Print the attributes of a function that callers see, and of the descriptor.
void print_function_attributes(Printer *p, const Decl *d, Generated which);
void print_descriptor_attributes(Printer *p, const Decl *d);
// Prints `__asm__("name")`.
void print_label(Printer *p, const Decl *d, Generated which);
// Prints the attributes of the functions that only generated code calls.
void print_code_attributes(Printer *p, const Async *a, bool cold);
bool has_code_attributes(const Async *a); // there are any of these

// ---- frame.c: the frame, start and spill ----
// Stores the lengths in a variably modified type, from the outside in; returns their number.
int vm_lengths(Type *t, Node **exprs, int most);
// Prints a variably modified variable as an lvalue of its type; path: `fm__f->`.
void print_vm_variable(Printer *p, Local *k, const char *path);
// Prints the code that stores its lengths and allocates its elements.
void print_vm_declaration(Printer *p, Local *k);
// Prints the code that frees the function's arrays of variable length.
void print_vla_frees(Printer *p);
// The variable is an array of variable length that lives in the frame.
bool is_vla(const Local *k);
bool has_vla(const Async *a);
void print_frame(Printer *p, Async *a); // the frame's type
void print_start(Printer *p, Async *a); // f__fm_start: a frame of the arguments
void print_spill(Printer *p, Async *a); // f__fm_spill
// Stores the arguments in a frame that holds nothing else, in the fields fm__a0 and so on.
void print_stored_args(Printer *p, Async *a);
// Returns the function that makes the whole frame: GEN_START or GEN_FULL.
Generated full_start(Async *a);
// The frame's fields: their number, the name of one, and the first variable that has it, or NULL.
int slot_count(Async *a);
const char *slot_name(Async *a, int slot);
Local *slot_first(Async *a, int slot);
void print_dummy(Printer *p, Async *a); // a return whose value means nothing
// return f__fm_spill(…): makes the frame, stores the live variables, leaves the function, to be
// resumed in `state`; flag: "", " | FM_HELD" or " | FM_AFTER" (abi.h)
void print_return_spill(Printer *p, int state, const char *flag);

// ---- shapes.c: functions whose frames look the same ----
const char *shape_of(Async *a); // the shape for its spill; NULL: it has none
// Returns the type that a letter of a shape stands for.
const char *type_of_letter(char letter);
// Prints the shared spill, the first time.
void print_shape(Printer *p, Async *a);
const char *start_shape(Async *a); // the shape for its start; NULL: it has none
// Prints the shared start, the first time.
void print_start_shape(Printer *p, const char *shape);

// ---- versions.c: call, resume, atomic ----
bool is_main(const Async *a); // the function is `async main`
// Declares the temporaries that lowering made.
void print_temps(Printer *p, Async *a);
// `if (…) {`: the stack is low, or the slice is over
void print_entry_check(Printer *p, Async *a);
// Prints the head of a call version that makes the frame at once, to the end of the check on entry.
void print_call_in_frame(Printer *p, Async *a);
// The check on entry stands at N_ENTRY, not at the beginning.
bool enters_late(const Async *a);
// There: makes the frame, if the function has it on entry.
void print_late_frame(Printer *p, Async *a);
void print_call_version(Printer *p, Async *a);
void print_resume_version(Printer *p, Async *a);
void print_atomic_version(Printer *p, Async *a);
// The atomic version of a function that has no version without a frame.
void print_contained_atomic(Printer *p, Async *a);
void print_main(Printer *p, Async *a); // C's main, for `async main`
// In the resume version: stores the variables that the state keeps.
void print_stores(Printer *p, Async *a, int state);

// ---- one-body.c: functions with many pauses ----
void print_one_body(Printer *p, Async *a);       // in place of call and resume
void print_call_of_resume(Printer *p, Async *a); // in place of call
// Whether call and resume call the atomic version; and these two.
bool only_atomic(const Async *a);
void print_calls_of_atomic(Printer *p, Async *a);
// With one body: the result is stored in the frame, if there is one.
bool stores_result(Async *a);

// ---- print-parts.c: large functions ----
void print_goto(Printer *p, const Ident *label); // also to another part
// Prints a break, continue or goto that leaves the part. Returns false if it does not.
bool print_jump_out(Printer *p, const Node *s);
void print_part(Printer *p, Node *s); // N_PART: a call of the part
void print_stop_part(Printer *p, int state, const char *flag);
void print_part_end(Printer *p); // returns that the function is left
void print_parts(Printer *p, Async *a);
// f__fm_call and f__fm_resume, which enter the first part
void print_large_called(Printer *p, Async *a);
void print_large_resumed(Printer *p, Async *a);

// ---- print-async.c: expressions and declarations that the versions print differently ----
void print_async_expr(Printer *p, Node *e);
// Returns false if the declaration is to be printed as in plain C.
bool print_async_decl(Printer *p, Node *s);

// ---- print-pause.c: statements that the versions print differently ----
// The call is an operation of the library that has an inline version (abi-node.h).
bool has_inline_version(const Node *call);
// For readers: a comment that the function may pause here, and why.
void note_pause(Printer *p, TokIndex tok, Why why);
// N_PAUSE, N_TAIL, N_RETURN … in the version being printed
void print_async_stmt(Printer *p, Node *s);

// ---- report.c ----
const char *state_reason(const State *s); // State.why in words
void report_async(Unit *u, Buf *out);     // --list-yields, --frame-report

#endif
