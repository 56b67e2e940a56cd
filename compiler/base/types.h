// types.h: the names of the structures that the stages pass on, and the types that point into the
// text. Every other header of the translator includes this one, so that each can be read, and
// included, alone.
#ifndef FMCC_BASE_TYPES_H
#define FMCC_BASE_TYPES_H

#include "base/base.h"

// The unit and its parts.
typedef struct Unit Unit;   // unit.h
typedef struct Ident Ident; // base/ident.h
typedef struct Token Token; // parse/lex.h
typedef struct Item Item;   // parse/tree.h
typedef struct Body Body;   // parse/body.h
typedef struct Definition Definition;

// The tree (parse/tree.h).
typedef struct Node Node;
typedef struct Specs Specs;
typedef struct Decl Decl;
typedef struct TypeName TypeName;
typedef struct AsmPart AsmPart;
typedef struct AttrUse AttrUse;

// Types (check/type.h), names (check/scope.h), errors (check/check.h).
typedef struct Type Type;
typedef struct Tag Tag;
typedef struct Member Member;
typedef struct Param Param;
typedef struct Symbol Symbol;
typedef struct Scope Scope;
typedef struct Throws Throws;
typedef struct Catch Catch;
typedef struct Rethrow Rethrow;
typedef struct Try Try;
typedef struct Thrown Thrown;

// Functions that pause (frame/frame.h), and how they are printed (emit/print.h).
typedef struct Async Async;
typedef struct Quiet Quiet;
typedef struct Local Local;
typedef struct BodyPart BodyPart;
typedef struct State State;
typedef struct Printer Printer;

typedef uint32_t TokIndex; // an index into Unit.toks
// The tokens from … to-1. from == to: an empty range.
typedef struct Range {
  TokIndex from;
  TokIndex to;
} Range;

#endif
