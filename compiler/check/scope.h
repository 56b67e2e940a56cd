// scope.h: the meaning of names at each place.
#ifndef FMCC_CHECK_SCOPE_H
#define FMCC_CHECK_SCOPE_H

#include "base/types.h"

typedef enum SymKind {
  S_VAR,
  S_FUNC,
  S_TYPEDEF,
  S_ENUMCONST,
  S_TAG,
  S_BUILTIN
} SymKind;
typedef enum Storage {
  ST_NONE,
  ST_TYPEDEF,
  ST_EXTERN,
  ST_STATIC,
  ST_AUTO,
  ST_REGISTER
} Storage;
struct Symbol {
  uint8_t kind;
  uint8_t storage;
  // shadowed: in the body that is being parsed, another symbol hides this one somewhere
  bool is_param, thread_local_, shadowed;
  // a function. outside: some declaration is extern or lacks `inline`; defined: its body is here
  bool outside, defined;
  bool implicit; // made by calling an undeclared function
  // declared in the program, not only in a system header
  bool own;
  // a function that does not return, except by an error
  bool noreturn;
  // an async function: no error leaves its atomic version, not even an unchecked one
  bool steady;
  int depth; // 0: file scope
  Ident *name;
  Type *type;
  Tag *tag;      // S_TAG
  TokIndex tok;  // where declared
  int64_t value; // S_ENUMCONST
  // in an async function: how its variable is kept; else NULL
  Local *local;
  Throws *throws; // a local task or job: the errors of its values
  // a function: the attributes of all its declarations
  AttrUse *uses;
  bool visiting;
  bool kept; // a local task: it is in Unit.kept
  // of a variable: how often it is mentioned, except where it is only assigned or dropped
  int mentions;
  // an async function: this unit has it begin in a frame (spawn, run, job …)
  bool started;
  // an async function: its definition in this unit; valid after quiet.c
  Async *definition;
  // the last function in which -Wshared-state reported it
  Async *told;
  const char *emitted; // another name in the generated C, or NULL
  Symbol *outer;       // the symbol of the name in the scope around
  Symbol *scope_next;  // the symbol declared before it in the same scope
};
struct Scope {
  struct Scope *outer;
  Symbol *symbols;
};

// ---- scope.c ----
void scope_enter(Unit *u);
void scope_leave(Unit *u);
Symbol *declare(Unit *u, SymKind kind, Ident *name, Type *type, TokIndex tok);
Symbol *declare_tag(Unit *u, Ident *name, Tag *tag, TokIndex tok);
bool in_this_scope(Unit *u, const Symbol *s);

#endif
