// tree.h: nodes and declarations. The parser makes the tree, lowering rewrites it, the printer
// prints it. An expression has its type, and its value if it is an integer constant, as soon as it
// is made.
#ifndef FMCC_PARSE_TREE_H
#define FMCC_PARSE_TREE_H

#include "base/types.h"

typedef enum NodeKind {
  // expressions
  N_IDENT,
  N_NUMBER,
  N_CHARCONST,
  N_STRING,
  N_PAREN,
  N_CALL,
  N_INDEX,
  N_MEMBER,
  N_ARROW,
  N_POSTFIX,
  N_PREFIX,
  N_UNARY,
  N_SIZEOF,
  N_SIZEOF_TYPE,
  N_ALIGNOF,
  N_ALIGNOF_TYPE,
  N_CAST,
  N_COMPOUND_LIT,
  N_BINARY,
  N_ASSIGN,
  N_COND,
  N_STMT_EXPR,
  N_GENERIC,
  N_ASSOC,
  N_LABEL_ADDR,
  N_VA_ARG,
  N_OFFSETOF,
  N_TYPES_COMPATIBLE,
  N_CHOOSE_EXPR,
  N_TGMATH,
  N_CONVERTVECTOR,
  N_BIT_CAST,
  N_EXTENSION,
  N_TYPE_ARG,
  N_INIT_LIST,
  N_INIT,
  N_DES_INDEX,
  N_DES_MEMBER,
  N_OPAQUE,
  N_ERROR,
  N_AWAIT,
  N_SPAWN,
  N_RUN,
  N_ATOMIC_EXPR,
  N_WITHIN,
  N_JOB,      // the dialect's
  N_RT,       // a call of a function of the runtime: name, b: arguments
  N_COMPLETE, // fm_complete(a, b), fm_fail (op)
  // statements
  N_COMPOUND,
  N_EXPR,
  N_DECL,
  N_IF,
  N_WHILE,
  N_DO,
  N_FOR,
  N_SWITCH,
  N_CASE,
  N_DEFAULT,
  N_LABEL,
  N_GOTO,
  N_GOTO_COMPUTED,
  N_BREAK,
  N_CONTINUE,
  N_RETURN,
  N_ASM,
  N_EMPTY,
  N_LOCAL_LABELS,
  N_NESTED_FUNC,
  N_STATIC_ASSERT,
  N_YIELD,
  N_ATOMIC, // the dialect's
  N_ACTIVATE,
  N_THROW,
  N_TRY,
  N_CATCH,
  N_DEFER,
  N_SHIELD,
  N_SCOPE,
  N_EACH,
  N_RACE,
  N_ARM,
  N_AUTO,    // an automatic yield
  N_ENTRY,   // after lowering: the check on entry, if it does not come first
  N_RETHROW, // after lowering: a is the error that goes on
  // after lowering: [a =] b may pause (op: and may yield after it); return b; text
  N_PAUSE,
  N_TAIL,
  N_CODE,
  N_PART, // of a large function: the statements a…, see frame/parts.c
} NodeKind;
enum {
  // NF_ODD_BITFIELD: a bit-field wider than int; gcc and clang give it different types
  NF_LVALUE = 1,
  NF_BITFIELD = 2,
  NF_ODD_BITFIELD = 4,
  // an integer constant expression: the value is in `val`
  NF_CONST = 8,
  NF_NULLPTR = 16,   // a null pointer constant
  NF_STMT_EXPR = 32, // a statement expression stands somewhere inside
  NF_VM = 64,        // something inside has a variably modified type
  NF_UNKNOWN = 128,  // something inside has a type that fmcc does not know
  NF_PAUSE = 256,    // something inside may pause
  NF_ATOMIC = 512,   // call: of the atomic version
  // an `atomic` statement stands inside, in a statement expression
  NF_LOWER = 16384,
  NF_WAS_PAUSE = 8192, // lowering took a pause out of it
  NF_AWAITED = 4096,   // call: marked with await
  NF_ASYNC = 2048,     // call: of an async function
  NF_THROWS = 32768,   // call: of a function that throws
  NF_CALLS = 1024,     // something inside calls a function
};
// Node.op of N_RT
typedef enum RtForm {
  RT_BARE,   // a call with the given arguments
  RT_DOMAIN, // the domain is the first argument
  RT_SHIELD, // the same; only in code that can pause, because atomic code is shielded anyway
  RT_TASKS, // not a call: an array of tasks
  // the wait of an awaitable: name is S_on_completed, c S_cancel or NULL
  RT_ACTION
} RtForm;
// Node.op of SPAWN is SPAWN_* in parse.h. Of the following nodes it is 0, or
enum {
  ASSOC_CHOSEN = 1,     // ASSOC: the only one that is evaluated
  CHOOSES_SECOND = 1,   // CHOOSE_EXPR: its second part is evaluated,
  CHOOSES_THIRD = 2,    // or its third part
  EXPR_WANTED = 1,      // EXPR: it is the value of a statement expression
  COMPLETE_BY_FAIL = 1, // COMPLETE: by fm_fail
  PAUSE_YIELDS = 1,     // PAUSE: the slice may end after the call
  ARM_DECLARES = 1,     // ARM: the first of its statements declares its target
  ARM_DEFAULT = 2,      // ARM: it is `default:`
  RACE_FAIR = 1,        // RACE: it starts with a random arm
  RACE_DEFAULT = 2,     // RACE: it has a `default:`
  RACE_LISTED = 4       // RACE: its arms are listed before they start
};
// Node.object of AWAIT: the functions of the structure that is awaited
enum {
  AWAIT_IS_COMPLETED,
  AWAIT_ON_COMPLETED,
  AWAIT_GET_RESULT,
  AWAIT_CANCEL, // may be NULL
  AWAIT_FUNCTIONS
};
struct Node {
  uint8_t kind;        // NodeKind
  uint8_t op;          // of operators: TokenKind; of others: see above
  uint16_t flags;      // NF_*
  TokIndex tok;        // its place: the operator, or the first token
  TokIndex end;        // its closing token, if it has one
  Type *type;          // of expressions, before arrays and functions decay
  Node *a, *b, *c, *d; // parts, in source order
  Node *next;          // the next node of the list it belongs to
  int64_t val;         // the value; valid with NF_CONST
  union {
    Symbol *sym;
    Symbol **object;
    Member *member;
    TypeName *tname;
    Ident *name;
    Decl *decl;
    AsmPart *asm_;
    Range range;
    int group; // COMPOUND: whose activities share variables with it; 0: none
  };
  Range attrs; // statements and labels: attributes as written
};
/* Parts:  CALL a=function b=args… | INDEX a b | MEMBER, ARROW a member | POSTFIX, PREFIX, UNARY a
   SIZEOF a | CAST tname a | COMPOUND_LIT tname a=list | BINARY a b | ASSIGN a b
   COND a b(NULL: ?:) c | STMT_EXPR a=compound | GENERIC a b=assocs… | ASSOC tname(NULL: default) a
   VA_ARG a tname | OFFSETOF tname b=path… | TYPES_COMPATIBLE a,b=type args | CHOOSE_EXPR a b c
   TGMATH b=args… | CONVERTVECTOR a tname | INIT_LIST a=inits… | INIT a=value b=designators…
   DES_INDEX a b(range end)
   COMPOUND a=statements… | EXPR a | DECL decl | IF a b c | WHILE a b | DO b a | FOR a b c d
   SWITCH a b | CASE a b(range) c | DEFAULT c | LABEL name c (these three: d=attributes before)
   GOTO name | GOTO_COMPUTED a | RETURN a | ASM asm_ | LOCAL_LABELS range | NESTED_FUNC decl a=body
   WITHIN a=milliseconds b=value c=what happens when it is late
   THROW a(NULL: again, or sym: an error) | TRY a b=catches… c=finally | CATCH decl a | DEFER a
   SHIELD a | SCOPE a b=else c=EACH decl(id) | EACH decl(body) a=its tree: a TRY with the clauses
   RACE b=arms… (ARM, or FOR with d=ARM)
   ARM decl(body) a=its tree b=target c=statements d=condition (these but c may be NULL)
   PAUSE, YIELD, THROW, RETHROW: d=goto the handler, or NULL: it leaves the function */

enum { MAX_NUMBERS = 8 };
struct AttrUse { // one attribute where it is written
  TokIndex name;
  TokIndex prefix; // gnu, clang; 0: none
  Range args;      // with the parentheses; empty: none
  bool std;        // in [[…]]
  // arguments that are numbers of parameters: how many, and their
  int nnumbers;
  int64_t numbers[MAX_NUMBERS]; // values; -1: not a number
  Range parts[MAX_NUMBERS];
  AttrUse *next;
};
// Declaration specifiers. The declarators after them share them.
struct Specs {
  Type *base;
  Range range;     // as written
  uint8_t storage; // Storage
  bool is_inline, is_noreturn, thread_local_, extension, auto_type,
      implicit_int, is_async, is_direct, is_atomic;
  // defines a tag or has attributes: printed as written
  bool verbatim;
  bool defines;     // defines a tag
  Range definition; // the definition of that tag; empty: none
  // one of the attributes (mode …) has changed the type
  bool opaque_type;
  uint32_t attr_align;
  TokIndex cleanup; // as in Attrs
  AttrUse *uses;    // as in Attrs
};
struct Decl {
  Specs *specs;
  Symbol *sym;
  Type *type;
  Type *written; // the type before its attributes were applied
  Ident *name;
  // of the body of an activate, arm, job or thunk: the function in which it stands; else NULL
  Ident *inside;
  TokIndex tok; // the name
  Range range;  // the declarator, as written
  // of a function: all attributes of this declaration
  AttrUse *uses;
  // the strings in `asm ("…")` after it; empty: none
  Range label;
  // attributes after the comma before it; asm label and attributes after it
  Range pre, post;
  // in an async function: called with its address when the block is left
  Symbol *cleanup;
  // of asyncdirect: with the completion as its last parameter; else NULL
  Type *direct;
  Node *init;
  bool names_itself; // the value may: its scope has begun before
  // it is declared already: this only gives the value
  bool ahead;
  bool passed_by; // it stands in a switch before the first case
  TokIndex end;   // after the last declarator: the `;`
  Decl *next;
};
// of the function, also for a body inside one
static inline Ident *name_written(const Decl *d) {
  return d->inside ? d->inside : d->name;
}
struct TypeName {
  Type *type;
  Range range;
  bool verbatim;
  bool defines;
};
// asm quals ( template : outputs : inputs : clobbers : labels )
struct AsmPart {
  Range head; // `asm volatile (` and the template strings
  // in order; each N_OPAQUE (range: text before it) with a = expression
  Node *operands;
  // from after the last operand to the closing parenthesis
  Range tail;
};

typedef enum ItemKind {
  ITEM_OTHER,
  ITEM_FUNCTION,
} ItemKind;
struct Item { // one external declaration
  ItemKind kind;
  int external; // Unit.external
  Async *async; // the definition of an async function
  // a declaration that has to be printed: it declares async functions
  Node *decl;
  Range range;
  Range body; // function: `{` … after `}`
  Symbol *sym;
  // function: the parsed body, or NULL where it was skipped
  Node *tree;
  // a plain function that was lowered: its temporaries, its jobs
  Async *plain;
  Decl *direct; // asyncdirect: its body is `tree`
  // function: an error stands in it; no later pass looks at it
  bool failed;
  // function, for the pass `check`: its type, what may be thrown in it, which tasks are kept
  Type *type;
  Thrown *thrown;
  Thrown *kept;
  struct Item *next;
};

#endif
