// print.h: trees as C text.
#ifndef FMCC_EMIT_PRINT_H
#define FMCC_EMIT_PRINT_H

#include "base/types.h"
#include "parse/lex.h"

// V_PLAIN: not inside an async function
typedef enum Version {
  V_PLAIN,
  V_CALL,
  V_RESUME,
  V_ATOMIC,
} Version;

struct Printer {
  Unit *u;
  Buf *out;
  // where the C compiler believes that the next character stands
  uint32_t line;
  uint16_t file;
  bool system;
  size_t pragma; // the next of Unit.pragmas to be printed
  int indent;
  bool asserts; // TRANSLATE_ASSERT
  // mark the lines as a system header's: no warnings, they came once already
  bool quiet;
  // types are printed where the user did not write them
  bool spell;
  bool unevaluated; // inside sizeof or typeof
  // at file scope: names of automatic variables stand for their types
  bool detached;
  bool user; // for a message: types as the user writes them
  // for the witness: in plain C, where the user's own names are known
  bool erased;
  bool unspeakable; // set when a type had no spelling there
  uint8_t version;  // Version
  // the function being printed, in V_CALL, V_RESUME and V_ATOMIC
  Async *async;
  Async *plain; // in V_PLAIN, if it was lowered
  // the part of a large function that is being printed, in V_RESUME; or NULL
  const BodyPart *part;
  int breaks, continues; // how many loops and switches are around, in its text
};

// How tightly an expression binds, the comma least; as a parameter: how tightly it has to where it
// is put. The caller of print_expr() gives it, and print_expr() puts the parentheses. The
// operators' own are L_COND + precedence().
typedef enum Level {
  // any expression: a statement, a condition, what has parentheses around it
  L_COMMA,
  L_ASSIGN, // an argument, a value after `=`
  L_COND,   // a constant: of a case, a designator
  L_OROR,
  L_CAST = L_COND + 11,
  L_UNARY,
  L_POSTFIX
} Level;

// ---- print-text.c: tokens and text at the user's lines ----
void print_sync(Printer *p, TokIndex t); // moves to the line of token t
// The line is not known: the next print_sync() prints a line marker.
void print_lost(Printer *p);
void print_range(Printer *p, Range r); // tokens as written
void print_tok(Printer *p, TokIndex t);
void print_text(Printer *p, const char *s);
void print_at(Printer *p,
              TokIndex t,
              const char *text); // at the line of token t
// The next text is generated, and on no line of the user's.
void print_generated(Printer *p);
// A printer that writes text into `out`, without lines.
Printer text_printer(Unit *u, Buf *out);
// A copy of the text, in the arena; the buffer is freed.
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
Level expr_level(Printer *p, Node *e); // as it is printed
// printed with __extension__: the compiler is not to warn of its extensions
bool is_library_macro(const Node *e);
// & or * of an async function: a descriptor is an array, f, &f and *f are one
bool is_dropped_operator(Printer *p, Node *e);
bool is_descriptor_operator(const Node *e);

// ---- print-type.c: types and declarations ----
void print_type(Printer *p, Type *t, const char *name, TokIndex name_tok);
void print_declarator(
    Printer *p, Type *t, Type *base, const char *name, TokIndex name_tok);
void print_specs(Printer *p, Specs *s);
void print_attributes(Printer *p, Range r); // those among the tokens
void print_type_name(Printer *p, TypeName *n);

// ---- assert.c: the C compiler is made to agree with our types ----
// with its types asserted where Printer.asserts
void print_checked(Printer *p, Node *e, Level least);
void print_layout_asserts(Printer *p);

#endif
