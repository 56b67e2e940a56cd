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
  // shadowed: somewhere in the body being parsed another symbol hides it
  bool is_param, thread_local_, shadowed;
  // a function: not only `inline` (some declaration lacks it, or says extern); its body is here
  bool outside, defined;
  bool implicit; // made by calling an undeclared function
  // declared in the program, not only in a system header
  bool own;
  // a function that does not come back, unless by an error
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
  Throws *throws; // a local task or job: what it was given
  // a function: the attributes of all its declarations
  AttrUse *uses;
  bool visiting;
  bool kept; // a local task: it is in Unit.kept
  // of a variable, but for those that only fill or drop it
  int mentions;
  // an async function: its definition in this unit; valid after quiet.c
  Async *definition;
  // the last function in which -Wshared-state spoke of it
  Async *told;
  const char *emitted; // another name in the generated C, or NULL
  Symbol *outer;       // what the name meant before
  Symbol *scope_next;  // declared before it in the same scope
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
