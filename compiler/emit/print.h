// print.h: the printer, which writes trees as C text, on the lines of the user's file. Each print
// function appends to Printer.out.
#ifndef FMCC_EMIT_PRINT_H
#define FMCC_EMIT_PRINT_H

#include "base/types.h"
#include "parse/lex.h"

// The version of an async function whose body is being printed.
typedef enum Version {
  V_PLAIN, // none: a plain function, or generated text outside of bodies
  V_CALL,
  V_RESUME,
  V_ATOMIC,
} Version;

struct Printer {
  Unit *u;
  Buf *out;
  // the place in the user's files at which the C compiler will see the next character; line
  // UINT32_MAX: none, no line markers are printed
  uint32_t line;
  uint16_t file;
  bool system;
  size_t pragma; // the next of Unit.pragmas to be printed
  int indent;
  bool asserts; // TRANSLATE_ASSERT
  // marks the lines as those of a system header, so that they draw no warnings
  bool quiet;
  // types are printed where the user did not write them
  bool spell;
  // of temporaries, at the head of a body: the variables of the body are not known there
  bool at_head;
  bool unevaluated; // inside sizeof or typeof
  // in hoisted text: names of automatic variables become lvalues of their types (lower/hoist.c)
  bool detached;
  bool user; // for a message: types as the user writes them
  // for the witness: plain C, in which the user's own names are known
  bool erased;
  bool unspeakable; // set if a type cannot be written there
  uint8_t version;  // Version
  // the function being printed, in V_CALL, V_RESUME and V_ATOMIC
  Async *async;
  Async *plain;   // in V_PLAIN, if it was lowered
  bool frameless; // in V_CALL: the frame is made only later
  bool begins;    // with that: in f__fm_short, which returns by its small frame
  // the part of a large function that is being printed, in V_RESUME; or NULL
  const BodyPart *part;
  int breaks, continues; // how many loops and switches are around, in its text
};

// How tightly an expression binds; the comma binds least. As a parameter of print_expr(): how
// tightly the expression has to bind at its place; print_expr() puts parentheses if it does not.
// The levels of binary operators are L_COND + precedence().
typedef enum Level {
  // any expression: a statement, a condition, inside parentheses
  L_COMMA,
  L_ASSIGN, // an argument, a value after `=`
  L_COND,   // a constant: of a case, a designator
  L_OROR,
  L_CAST = L_COND + 11,
  L_UNARY,
  L_POSTFIX
} Level;

// ---- print-text.c: tokens and text at the user's lines ----
// Moves to the line of token t, and prints the pragmas before it.
void print_sync(Printer *p, TokIndex t);
// Forgets the line: the next print_sync() prints a line marker.
void print_lost(Printer *p);
void print_range(Printer *p, Range r); // tokens as written, with their edits
void print_tok(Printer *p, TokIndex t);
// Prints text, after a space if it would form one token with the text before it.
void print_text(Printer *p, const char *s);
// The same, at the line of token t.
void print_at(Printer *p, TokIndex t, const char *text);
// Begins generated text, which is on no line of the user's.
void print_generated(Printer *p);
// Returns a printer that writes text into `out`, without lines.
Printer text_printer(Unit *u, Buf *out);
// Returns a copy of the printer that writes into `out`, without lines.
Printer without_lines(const Printer *p, Buf *out);
// Returns a copy of the text, in the arena, and frees the buffer.
const char *take_text(Unit *u, Buf *text);
void put_line_marker(
    Unit *u, Buf *out, uint32_t line, uint16_t file, bool system);
// A comment in the source, before that label, says `fall through`.
bool says_fall_through(Unit *u, TokIndex label);

// ---- print-expr.c, print-stmt.c: expressions, statements and declarations ----
const char *operator_text(TokenKind k);
void print_expr(Printer *p, Node *e, Level least);
void print_initializer(Printer *p, Node *e);
void print_statement(Printer *p, Node *s);

// ---- binding.c: where parentheses are needed ----
// Returns how tightly e binds as it is printed.
Level expr_level(Printer *p, Node *e);
// e is a statement expression of the library's macros. It is printed with __extension__, so that
// the C compiler does not warn of it.
bool is_library_macro(const Node *e);
// e is & or * of an async function; it is not printed, because a descriptor is an array of one.
bool is_descriptor_operator(const Node *e);
bool is_dropped_operator(Printer *p, Node *e);

// ---- print-type.c: types and declarations ----
// Prints a declaration of `name` with the type; name "": the type alone.
void print_type(Printer *p, Type *t, const char *name, TokIndex name_tok);
// Prints the declarator alone: the parts of the type t outside of `base`.
void print_declarator(
    Printer *p, Type *t, Type *base, const char *name, TokIndex name_tok);
void print_specs(Printer *p, Specs *s);
void print_attributes(Printer *p, Range r); // the attributes in these tokens
void print_type_name(Printer *p, TypeName *n);

// ---- assert.c: --translate=assert ----
// As print_expr(); with Printer.asserts, after assertions about the types in e.
void print_checked(Printer *p, Node *e, Level least);
// Asserts the sizes of all structures of the unit.
void print_layout_asserts(Printer *p);

#endif
