// unit.h: everything about one translation unit. It is handed to every function; there are no
// globals.
#ifndef FMCC_UNIT_H
#define FMCC_UNIT_H

#include "base/diag.h"
#include "base/ident.h"
#include "check/type.h"
#include "parse/lex.h"
#include "translate.h"

#include <setjmp.h>

struct Unit {
  const char *name; // for diagnostics without a line marker
  const char *text; // preprocessed; NUL-terminated
  size_t len;
  TranslateOptions opt;
  Arena arena;
  IdentTable idents;
  Token *toks;
  size_t ntoks, toks_cap; // toks[ntoks-1] is T_EOF
  Pragma *pragmas;
  size_t npragmas, pragmas_cap;
  // DiagnosticPragma *, in order; some name a warning of our own
  Vec diagnostics;
  bool own_diagnostics;
  SourceFile *files;
  size_t nfiles;
  // the first token after `#pragma fermata`; ntoks: never
  TokIndex dialect_from;
  bool dialect;     // some `#pragma fermata` stands in the unit
  TokIndex p;       // parser: the token to be looked at next
  int depth;        // nesting of what is being parsed
  jmp_buf *recover; // where fail_at() goes
  // a plain declaration: no message, the C compiler reports it
  bool hold_errors;
  Diag *held;
  Diag **held_tail;
  Vec said;     // Diag *: to be printed
  int external; // the number of the external declaration at hand
  int errors;   // in `said`
  Scope *scope;
  int scope_depth;
  Body *body; // the innermost one that is being parsed; never NULL
  // some pointer to a function that throws has been declared
  bool throwing_pointers;
  TokIndex operand_at; // where the operand of spawn, run … begins
  TokIndex await_at;   // and that of await
  int unevaluated;     // inside typeof
  // in an operand of which only the type is wanted: of typeof, sizeof, _Alignof, _Generic
  int only_type;
  int nbodies; // activates, arms, jobs, thunks so far
  Vec asyncs;  // Async *, every definition
  Vec edits;   // Edit *
  bool edits_sorted;
  Vec marks;        // Mark *: witness.c
  int nwitness;     // numbers what it names
  Vec label_uses;   // Node *: every N_LABEL_ADDR
  bool no_witness;  // the unit cannot be written as plain C
  int record_depth; // inside a structure's braces
  Type *scalars[TY_DEC128 + 1];
  Type *va_list_type;
  // the first of Unit.pragmas not yet seen by pack_now()
  size_t pack_pragma;
  uint32_t pack;
  uint32_t pack_stack[64];
  int pack_depth;
  // every complete Tag of file scope, for TRANSLATE_ASSERT
  Vec tags;
  Item *items;
  Item **items_tail;
  Vec shapes; // const char *: those of which the functions are printed
  const char *
      *readable_names; // pieces.c: names of ours for readers, once asked for
};

static inline Token *tok_at(Unit *u, TokIndex t) {
  return &u->toks[t];
}
static inline TokenKind kind_at(Unit *u, TokIndex t) {
  return (TokenKind)u->toks[t < u->ntoks ? t : u->ntoks - 1].kind;
}
static inline TokenKind cur(Unit *u) {
  return kind_at(u, u->p);
}

// ---- unit.c ----
void unit_init(Unit *u); // its name, text and options are set already
void unit_free(Unit *u);

#endif
