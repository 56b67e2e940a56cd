// fmcc.h: the translator's shared header, in pipeline order. Reading it from top to bottom is the
// tour:
//
//     text → lex.c → tokens → decl.c, type names and declarators → stmt.c, expr.c → tree
//          → check.c gives every expression its type (with type.c, layout.c, fold.c, builtin.c)
//          → print.c prints trees as C again → emit.c puts the unit together, plain C copied untouched
//
// Everything about one translation unit hangs on a Unit, which is handed to every function; there
// are no globals. Memory: Unit.arena, released whole at the end.
#ifndef FMCC_H
#define FMCC_H

#include "base/base.h"
#include "translate.h"

#include <setjmp.h>

typedef struct Unit Unit;
typedef struct Ident Ident;
typedef struct Token Token;
typedef struct Type Type;
typedef struct Tag Tag;
typedef struct Member Member;
typedef struct Param Param;
typedef struct Symbol Symbol;
typedef struct Node Node;
typedef struct Specs Specs;
typedef struct Decl Decl;
typedef struct TypeName TypeName;
typedef struct AsmPart AsmPart;
typedef struct Async Async;
typedef struct Throws Throws;
typedef struct Try Try;
typedef struct Thrown Thrown;
typedef struct Local Local;
typedef struct AttrUse AttrUse;

typedef uint32_t TokIndex; // an index into Unit.toks
typedef struct Range {
  TokIndex from, to;
} Range; // tokens from..to-1; from == to: nothing there

// ---- names (ident.c) ----
// One Ident for each spelling. The symbol fields are what the name means in the scope being parsed.
struct Ident {
  const char *name; // NUL-terminated
  uint32_t len, hash;
  // token kind if the word is a C keyword in this unit, else 0
  uint16_t keyword;
  uint16_t word; // DialectWord, else 0
  // ordinary identifiers: the innermost declaration, or NULL
  Symbol *sym;
  Symbol *tag; // struct, union and enum tags, likewise
};

// The dialect's words. Contextual: see word_at() in parse.c.
typedef enum DialectWord {
  W_NONE,
  W_ASYNC,
  W_AWAIT,
  W_SPAWN,
  W_ACTIVATE,
  W_ATOMIC,
  W_YIELD,
  W_RUN,
  W_JOB,
  W_TASK,
  W_SCOPE,
  W_RACE,
  W_SHIELD,
  W_DEFER,
  W_THROW,
  W_THROWS,
  W_TRY,
  W_CATCH,
  W_FINALLY,
  W_ASYNCDIRECT,
  W_THUNK, // only as __fm_thunk: dialect-bodies.c
  W_COUNT
} DialectWord;
// or-ed in for __fm_run and so on: a keyword in every place
enum { WORD_ALWAYS = 0x100 };

typedef struct IdentTable {
  Ident **at;
  size_t cap, len;
} IdentTable;
Ident *intern(Unit *u, const char *s, size_t n);
void idents_init(Unit *u); // enters the keywords that this unit's mode has
void idents_free(Unit *u);
const char *word_name(DialectWord w);

// ---- tokens (lex.c) ----
typedef enum TokenKind {
  T_EOF,
  T_IDENT,
  T_NUMBER,
  T_CHAR,
  T_STRING,
  T_OTHER,
  // punctuators; T_PUNCT_FIRST … T_PUNCT_LAST
  P_LPAREN,
  P_RPAREN,
  P_LBRACE,
  P_RBRACE,
  P_LBRACKET,
  P_RBRACKET,
  P_SEMI,
  P_COMMA,
  P_DOT,
  P_ARROW,
  P_ELLIPSIS,
  P_COLON,
  P_COLONCOLON,
  P_QUESTION,
  P_INC,
  P_DEC,
  P_AMP,
  P_STAR,
  P_PLUS,
  P_MINUS,
  P_TILDE,
  P_BANG,
  P_SLASH,
  P_PERCENT,
  P_SHL,
  P_SHR,
  P_LT,
  P_GT,
  P_LE,
  P_GE,
  P_EQ,
  P_NE,
  P_CARET,
  P_PIPE,
  P_ANDAND,
  P_OROR,
  P_ASSIGN,
  P_MUL_A,
  P_DIV_A,
  P_MOD_A,
  P_ADD_A,
  P_SUB_A,
  P_SHL_A,
  P_SHR_A,
  P_AND_A,
  P_XOR_A,
  P_OR_A,
  P_HASH,
  P_HASHHASH,
  // keywords
  K_AUTO,
  K_BREAK,
  K_CASE,
  K_CHAR,
  K_CONST,
  K_CONTINUE,
  K_DEFAULT,
  K_DO,
  K_DOUBLE,
  K_ELSE,
  K_ENUM,
  K_EXTERN,
  K_FLOAT,
  K_FOR,
  K_GOTO,
  K_IF,
  K_INLINE,
  K_INT,
  K_LONG,
  K_REGISTER,
  K_RESTRICT,
  K_RETURN,
  K_SHORT,
  K_SIGNED,
  K_SIZEOF,
  K_STATIC,
  K_STRUCT,
  K_SWITCH,
  K_TYPEDEF,
  K_UNION,
  K_UNSIGNED,
  K_VOID,
  K_VOLATILE,
  K_WHILE,
  K_ALIGNAS,
  K_ALIGNOF,
  K_ATOMIC,
  K_BOOL,
  K_COMPLEX,
  K_IMAGINARY,
  K_GENERIC,
  K_NORETURN,
  K_STATIC_ASSERT,
  K_THREAD_LOCAL,
  K_ASM,
  K_TYPEOF,
  K_ATTRIBUTE,
  K_EXTENSION,
  K_LABEL,
  K_AUTO_TYPE,
  K_INT128,
  K_REAL,
  K_IMAG,
  K_NULLABILITY,
  K_ADDRSPACE,
  K_BITINT,
  K_FLOAT16,
  K_FLOAT32,
  K_FLOAT64,
  K_FLOAT128,
  K_FLOAT32X,
  K_FLOAT64X,
  K_FLOAT80,
  K_BF16,
  K_DEC32,
  K_DEC64,
  K_DEC128,
  K_VA_ARG,
  K_OFFSETOF,
  K_TYPES_COMPATIBLE,
  K_CHOOSE_EXPR,
  K_TGMATH,
  K_CONVERTVECTOR,
  K_BIT_CAST,
  K_HAS_ATTRIBUTE,
  K_COUNT
} TokenKind;

struct Token {
  uint32_t pos, len; // where its text stands in Unit.text
  uint32_t line;     // as the line markers count
  uint16_t file;     // index into Unit.files
  uint8_t kind;      // TokenKind
  uint8_t flags;     // TF_*
  Ident *id;         // identifiers and keywords; else NULL
};
// first of its line; blank before; system header; digraph
enum { TF_BOL = 1, TF_SPACE = 2, TF_SYSTEM = 4, TF_ALT = 8 };

typedef struct SourceFile {
  const char *name;
  Buf text; // the file itself, for diagnostics
  bool loaded;
  // the one that was asked for last, 0: none; lines are mostly asked for in order
  uint32_t line;
  size_t at; // where it begins
} SourceFile;
// a whole # line
typedef struct Pragma {
  uint32_t pos, len;
  TokIndex before;
  uint32_t line;
  uint16_t file;
} Pragma;

void lex(Unit *u); // text → toks, pragmas, files
const char *tok_text(Unit *u, TokIndex t, size_t *len);
bool tok_is(Unit *u, TokIndex t, const char *text);

// ---- diagnostics (diag.c) ----
// All take the token they speak of. error_at() counts; note_at() belongs to the error before it.
void error_at(Unit *u, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
// right behind it
void error_after(Unit *u, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void note_at(Unit *u, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void warn_at(Unit *u, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
// before there are tokens
void error_pos(Unit *u,
               uint32_t pos,
               uint32_t len,
               uint32_t line,
               uint16_t file,
               const char *fmt,
               ...) __attribute__((format(printf, 6, 7)));
// and give up this declaration
_Noreturn void fail_at(Unit *u, TokIndex t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
// With a hint, where there is one (hints.c).
void error_undeclared(Unit *u, TokIndex t, const char *name);
_Noreturn void fail_unknown_type(Unit *u, TokIndex t); // of the identifier at t
bool misspells_async(Unit *u, TokIndex t);             // a word before a type
// "a channel", whose object has that member; NULL: it is not the library's
const char *library_kind(const char *member);
// of the user's own file; NULL: it cannot be read
const char *source_line(Unit *u, uint16_t file, uint32_t line, size_t *n);
// prints or forgets what was held back (Unit.hold_errors)
void diags_flush(Unit *u, bool print);

// ---- types (type.c) ----
typedef enum TypeKind {
  // after an error, or a type we do not know (rare builtins): fits everywhere
  TY_ERROR,
  TY_VOID,
  TY_BOOL,
  TY_CHAR,
  TY_SCHAR,
  TY_UCHAR,
  TY_SHORT,
  TY_USHORT,
  TY_INT,
  TY_UINT,
  TY_LONG,
  TY_ULONG,
  TY_LLONG,
  TY_ULLONG,
  TY_INT128,
  TY_UINT128,
  TY_BITINT,
  TY_UBITINT,
  TY_FLOAT16,
  TY_BF16,
  TY_FLOAT,
  TY_DOUBLE,
  TY_LDOUBLE,
  TY_FLOAT32,
  TY_FLOAT64,
  TY_FLOAT128,
  TY_FLOAT32X,
  TY_FLOAT64X,
  TY_DEC32,
  TY_DEC64,
  TY_DEC128,
  TY_COMPLEX, // base: the real type
  TY_ENUM,
  TY_STRUCT,
  TY_UNION, // tag
  TY_POINTER,
  TY_ARRAY,
  TY_VECTOR,
  TY_FUNC, // base: target, element, element, returned type
  TY_TASK,
  TY_JOB,
  TY_COMPLETION, // task(T), job(T), fm_completion(T); base: T
  TY_TYPEDEF,
  TY_TYPEOF, // sugar: base is what it stands for
} TypeKind;
enum { Q_CONST = 1, Q_VOLATILE = 2, Q_RESTRICT = 4, Q_ATOMIC = 8 };

struct Type {
  uint8_t kind;  // TypeKind
  uint8_t quals; // Q_*
  bool variadic; // function: `...`
  bool oldstyle; // function: no prototype
  // function: may pause; a pointer to it points at a descriptor
  bool is_async;
  bool star, is_static; // array: [*], [static n]
  bool incomplete;      // array: []
  bool vla;             // array: the length is not constant
  bool hoisted;         // typeof: in an async function
  uint8_t array_quals;  // array parameter: [const n]
  uint16_t bits;        // _BitInt
  // raised or lowered by an attribute on a typedef; 0: natural
  uint32_t align;
  Type *base;
  // without sugar at the top, qualifiers gathered; itself if there is none
  Type *canon;
  // the same type with no qualifiers, once asked for
  Type *unqual;
  Symbol *sym; // typedef
  Tag *tag;
  // array (if not vla or incomplete), vector: number of elements; -1 unknown
  int64_t len;
  // array: as written, or NULL; typeof: the expression
  Node *len_expr;
  TypeName *operand; // typeof (type)
  Param *params;     // function
  Throws *throws;    // function, task, job: as declared
  Range attrs;       // pointer: attributes after the star
  AttrUse *uses;     // likewise
  // pointer: attributes after the parenthesis that opens its declarator
  Range paren_attrs;
};
// copied: activate's copy of an array; // written: before arrays decay
struct Param {
  Type *type, *written;
  Type *copied;
  Ident *name;
  TokIndex tok;
  Range range;
  Symbol *sym;
  Param *next;
};

struct Tag {    // of a struct, union or enum
  uint8_t kind; // TY_STRUCT, TY_UNION, TY_ENUM
  // odd_layout: attributes we do not model
  bool complete, packed, transparent, being_defined, shadowed, local,
      odd_layout;
  Ident *name;         // NULL: none
  const char *emitted; // another name in the generated C, or NULL
  // name_at: its name, or the token before which that could stand
  TokIndex tok, name_at;
  // an unqualified typedef for it: a way to name the nameless
  Symbol *typedef_sym;
  // nameless: the structure of which it is the type of a member, as it were its name,
  Tag *home;
  // and that member; NULL: its members are home's own
  Member *home_member;
  // nameless: a variable of file scope with that type
  Symbol *home_sym;
  Member *members;
  Type *underlying;          // enum
  Type *type;                // the unqualified type
  uint32_t attr_align, pack; // 0: none
  int64_t size, align;       // once laid out; size -1: not known
  bool laid_out;
};
struct Member {
  // NULL: an anonymous struct or union, or padding bits
  Ident *name;
  Type *type;
  TokIndex tok;
  int width; // bit-field; -1: not one
  bool packed;
  uint32_t attr_align;
  int64_t offset; // bytes; bit-fields: of the storage unit
  int bit;
  Member *next;
};

extern const char *const scalar_names[];
Type *type_scalar(Unit *u, TypeKind k); // the one unqualified type of that kind
// pointer, complex, function …; canon is itself
Type *type_new(Unit *u, TypeKind k, Type *base);
Type *type_pointer(Unit *u, Type *to);
Type *type_array(Unit *u, Type *of, int64_t len);
Type *type_vector(Unit *u, Type *of, int64_t len);
Type *type_qualify(Unit *u, Type *t, unsigned quals);
// keeps sugar where that carries no qualifier
Type *type_unqual(Unit *u, Type *t);
Type *type_sugar(Unit *u, TypeKind k, Type *base);
// without const, also in the elements of arrays
Type *type_writable(Unit *u, Type *t);
// as C text, the initialiser with which everything in it is 0
const char *type_zero(Type *t);
bool type_has_const_member(Type *t); // it can be initialised, not assigned
// an array type like t, complete
Type *type_resize(Unit *u, Type *t, int64_t len);
static inline Type *canon(Type *t) {
  return t->canon;
}
bool type_is_integer(Type *t); // with enums and bool
bool type_is_real_float(Type *t);
bool type_is_arith(Type *t);  // integers, floats, complex
bool type_is_scalar(Type *t); // arithmetic and pointers
bool type_is_unsigned(Unit *u, Type *t);
bool type_is_record(Type *t); // struct or union
bool type_is_vm(Type *t);     // variably modified
bool type_is_void(Type *t);
// the same with variable lengths replaced by 1
Type *type_fixed(Unit *u, Type *t);
bool type_compatible(Unit *u, Type *a, Type *b); // top qualifiers ignored
Type *type_composite(Unit *u, Type *a, Type *b);
Type *type_promote(Unit *u, Type *t);        // integer promotions
Type *type_arith(Unit *u, Type *a, Type *b); // usual arithmetic conversions
Type *type_to_unsigned(Unit *u, Type *t);
// also inside anonymous members; adds up the offset
Member *type_member(Type *record, Ident *name, int64_t *offset);
const char *type_text(Unit *u, Type *t);    // for messages
const char *type_spelled(Unit *u, Type *t); // in C

// ---- sizes (layout.c), as the System V ABIs lay things out ----
int64_t type_size(Unit *u, Type *t); // -1: incomplete, variable or not known
int64_t type_align(Unit *u, Type *t);
int int_bits(Unit *u, Type *t); // width of an integer type; 0: not one
void tag_layout(Unit *u, Tag *g);

// ---- symbols and scopes (scope.c) ----
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
  uint8_t kind, storage;
  // shadowed: somewhere in the body being parsed another symbol hides it
  bool is_param, thread_local_, shadowed;
  // a function: not only `inline` (some declaration lacks it, or says extern); its body is here
  bool outside, defined;
  bool implicit; // made by calling an undeclared function
  // declared in the program, not only in a system header
  bool own;
  // a function that does not come back, unless by an error
  bool noreturn;
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
  // the last function in which -Wshared-state spoke of it
  Async *told;
  const char *emitted; // another name in the generated C, or NULL
  Symbol *outer;       // what the name meant before
  Symbol *scope_next;  // declared before it in the same scope
};
typedef struct Scope {
  struct Scope *outer;
  Symbol *symbols;
} Scope;
void scope_enter(Unit *u);
void scope_leave(Unit *u);
Symbol *declare(Unit *u, SymKind kind, Ident *name, Type *type, TokIndex tok);
Symbol *declare_tag(Unit *u, Ident *name, Tag *tag, TokIndex tok);
bool in_this_scope(Unit *u, const Symbol *s);

// ---- the tree ----
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
  N_JOB,      // the dialect's
  N_RT,       // a function of the runtime: name, b=args…
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
  N_RACE,
  N_ARM,
  N_AUTO,    // an automatic yield
  N_RETHROW, // after lowering: a is the error that goes on
  // after lowering: [a =] b may pause (op: and may yield behind it); return b; text
  N_PAUSE,
  N_TAIL,
  N_CODE,
} NodeKind;
enum {
  // odd: wider than int, whose type gcc and clang see differently
  NF_LVALUE = 1,
  NF_BITFIELD = 2,
  NF_ODD_BITFIELD = 4,
  // an integer constant expression: the value is in `val`
  NF_CONST = 8,
  NF_NULLPTR = 16,   // a null pointer constant
  NF_STMT_EXPR = 32, // a statement expression stands somewhere inside
  NF_VM = 64,        // something inside has a variably modified type
  NF_UNKNOWN = 128,  // something inside has a type we do not know
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
// Node.op of N_RT: the domain comes first; not a call: an array of tasks; the wait of an
enum { RT_BARE, RT_DOMAIN, RT_TASKS, RT_ACTION };
// awaitable: name is S_on_completed, c S_cancel
// or NULL
struct Node {
  uint8_t kind;        // NodeKind
  uint8_t op;          // TokenKind of the operator
  uint16_t flags;      // NF_*
  TokIndex tok;        // where it stands: the operator or first token
  TokIndex end;        // its closing token, where it has one
  Type *type;          // expressions: before arrays and functions decay
  Node *a, *b, *c, *d; // parts, in source order
  Node *next;          // in the list it belongs to
  int64_t val;         // NF_CONST
  union {
    Symbol *sym;
    Symbol **object;
    Member *member;
    TypeName *tname;
    Ident *name;
    Decl *decl;
    AsmPart *asm_;
    Range range;
  };
  Range attrs; // statements and labels: attributes as written
};
/* Parts:  CALL a=function b=args… | INDEX a b | MEMBER, ARROW a member | POSTFIX, PREFIX, UNARY a | SIZEOF a | CAST tname a
   COMPOUND_LIT tname a=list | BINARY a b | ASSIGN a b | COND a b(NULL: ?:) c | STMT_EXPR a=compound | GENERIC a b=assocs…
   ASSOC tname(NULL: default) a | VA_ARG a tname | OFFSETOF tname b=path… | TYPES_COMPATIBLE a,b=type args | CHOOSE_EXPR a b c
   TGMATH b=args… | CONVERTVECTOR a tname | INIT_LIST a=inits… | INIT a=value b=designators… | DES_INDEX a b(range end)
   COMPOUND a=statements… | EXPR a | DECL decl | IF a b c | WHILE a b | DO b a | FOR a b c d | SWITCH a b | CASE a b(range) c
   DEFAULT c | LABEL name c (these three: d=attributes before) | GOTO name | GOTO_COMPUTED a | RETURN a | ASM asm_
   LOCAL_LABELS range | NESTED_FUNC decl a=body | THROW a(NULL: again) | TRY a b=catches… c=finally | CATCH decl a
   DEFER a | SHIELD a | SCOPE a b=else decl(id) | RACE b=arms… | ARM decl(body) b=target c=statements
   PAUSE, YIELD, THROW, RETHROW: d=goto the handler, or NULL: it leaves the function */

enum { MAX_NUMBERS = 8 };
struct AttrUse { // one attribute where it is written
  TokIndex name;
  TokIndex prefix; // gnu, clang; 0: none
  Range args;      // with the parentheses; empty: none
  bool std;        // in [[…]]
  // of a function whose parameters it numbers: its arguments, and their
  int nnumbers;
  int64_t numbers[MAX_NUMBERS]; // values; -1: not a number
  Range parts[MAX_NUMBERS];
  AttrUse *next;
};
// declaration specifiers, shared by the declarators after them
struct Specs {
  Type *base;
  Range range;     // as written
  uint8_t storage; // Storage
  bool is_inline, is_noreturn, thread_local_, extension, auto_type,
      implicit_int, is_async, is_direct, is_atomic;
  // defines a tag or has attributes: printed as written
  bool verbatim;
  bool defines;     // defines a tag
  Range definition; // that definition; empty: none
  // an attribute (mode …) that changed the type is in there
  bool opaque_type;
  uint32_t attr_align;
  TokIndex cleanup; // as in Attrs
  AttrUse *uses;    // likewise
};
struct Decl {
  Specs *specs;
  Symbol *sym;
  Type *type;
  Type *written; // before the attributes after it were applied
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
struct TypeName {
  Type *type;
  Range range;
  bool verbatim, defines;
};
// asm quals ( template : outputs : inputs : clobbers : labels )
struct AsmPart {
  Range head; // `asm volatile (` and the template strings
  // in order; each N_OPAQUE (range: text before it) with a = expression
  Node *operands;
  // from after the last operand to the closing parenthesis
  Range tail;
};

// ---- parsing (parse.c: helpers; decl.c, declarator.c, record.c, attr.c; stmt.c; expr.c, primary.c; init.c) ----
typedef enum ItemKind { ITEM_OTHER, ITEM_FUNCTION } ItemKind;
typedef struct Item { // one external declaration
  ItemKind kind;
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
  struct Item *next;
} Item;

void parse_unit(Unit *u); // → Unit.items
static inline Token *tok_at(Unit *u, TokIndex t);
bool accept(Unit *u, TokenKind k);
void expect(Unit *u, TokenKind k, const char *after);
// the token after the bracket that closes the one at `open`
TokIndex skip_balanced(Unit *u, TokIndex open);
// the dialect's meaning of a word where a statement or expression begins
DialectWord word_at(Unit *u, TokIndex t);
// one more level of nesting; gives up past the limit
void deeper(Unit *u);
#define NEST(u) deeper(u)
#define UNNEST(u) ((u)->depth--)
Node *node_new(Unit *u, NodeKind k, TokIndex t);

bool starts_type(Unit *u, TokIndex t); // a declaration specifier
void skip_attributes(Unit *u); // __attribute__ and [[…]], uninterpreted
typedef struct Attrs {         // what matters to us of a run of attributes
  Range range;
  uint32_t align;
  bool packed, transparent, odd_layout, noreturn;
  // in an async function: the name of the function to be called; 0: none
  TokIndex cleanup;
  int64_t vector_bytes; // vector_size; 0: none
  int vector_len;       // ext_vector_type (clang)
  const char *mode;     // machine mode without underscores
  AttrUse *uses;        // all of them
} Attrs;
bool attribute_named(Unit *u, TokIndex t, const char *name); // also as __name__
AttrUse *join_uses(AttrUse *a, AttrUse *b);                  // changes a
// adds to *at; false: there were none
bool parse_attributes(Unit *u, Attrs *at);
Type *apply_attributes(Unit *u, Type *t, const Attrs *at);
// where t is, or points at, a function of which the C compiler is not to believe it
void hide_noreturn(Unit *u, Type *t, Range r);
Specs *parse_specs(Unit *u);
// attrs: [[…]] after the name
typedef struct Declarator {
  Type *type;
  Ident *name;
  TokIndex tok;
  Range range;
  Attrs attrs;
} Declarator;
void parse_declarator(Unit *u, Type *base, Declarator *d, bool abstract_ok);
TypeName *parse_type_name(Unit *u);
Type *parse_record(Unit *u, Attrs *at, bool *defines);
void write_tag(Unit *u, Tag *g, TokIndex at);
Type *parse_enum(Unit *u, Attrs *at, bool *defines);
Type *parse_typeof(Unit *u);
Node *parse_static_assert(Unit *u);
// in a body: N_DECL, N_NESTED_FUNC or N_STATIC_ASSERT
Node *parse_declaration(Unit *u);
Type *param_adjust(Unit *u, Type *t);
void declare_params(Unit *u, Type *func);
void parse_params(Unit *u, Type *f); // "(" parameters ")" of a function

// the compound statement of a function
Node *parse_body(Unit *u, Decl *func, TokIndex open);
Node *parse_compound(Unit *u);
Node *parse_statement(Unit *u);
Node *parse_block_item(Unit *u); // a statement or declaration
Node *parse_asm(Unit *u);
Node *parse_expr(Unit *u);
// what is parsed so is not evaluated: nothing in it pauses or throws
Node *parse_for_type(Unit *u, Node *(*parse)(Unit *));
Node *parse_assign(Unit *u);
Node *parse_conditional(Unit *u);
Node *parse_cast(Unit *u);
Node *parse_primary(Unit *u);
Node *parse_initializer(Unit *u);
// functions and tasks in it; member: of a structure or a literal
void check_initializer(Unit *u, Type *t, Node *init, bool member);
Type *type_throwing_both(Unit *u, Type *composite, Type *a, Type *b);
bool check_functions(Unit *u, Node *from, Type *to); // false: told so
// gives `T x[] = …` its length
Type *init_complete(Unit *u, Type *t, Node *init);
// a conditional expression in which nothing can pause
Node *parse_fixed(Unit *u);
// of a binary operator: || is 1, * is 10; 0: it is none
int precedence(TokenKind k);
// an integer constant expression; false: its value is not known
bool parse_constant(Unit *u, int64_t *v);

// ---- the dialect (dialect.c) ----
// as FM_SPAWN_* in abi.h
enum {
  SPAWN_NOW = 1,
  SPAWN_DETACHED = 2,
  SPAWN_CONTAINED = 4,
  SPAWN_DROP = 8,
  SPAWN_IN = 16,
  SPAWN_ARM = 32,
  SPAWN_ON = 64
};
// `async …`, `task (…)` where a declaration may begin
bool starts_dialect_type(Unit *u, TokIndex t);
// task ( type ), job ( type ), fm_completion ( type )
Type *parse_task(Unit *u);
bool starts_held(Unit *u, TokIndex t); // one of these
// `async` belongs to the function type next to the specifiers
void mark_async(Unit *u, Declarator *d, Type *stop);
// the async function type inside a declarator's type, or NULL
Type *async_target(Type *t);
// await, spawn, run, atomic; NULL: the word is something else
Node *parse_dialect_expr(Unit *u, DialectWord w);
// yield, atomic; NULL likewise
Node *parse_dialect_stmt(Unit *u, DialectWord w);
// of spawn, run, job: a call that is begun elsewhere, a task, a job
Node *parse_operand(Unit *u);
bool is_pool(Node *e); // it points at a pool of domains
// dialect-errors.c
Node *throw_stmt(Unit *u), *try_stmt(Unit *u), *defer_stmt(Unit *u),
    *shield_stmt(Unit *u), *scope_stmt(Unit *u);
// dialect-bodies.c
Node *activate_stmt(Unit *u), *race_stmt(Unit *u), *job_expr(Unit *u),
    *thunk_expr(Unit *u);
// of the function, also for a body inside one
static inline Ident *name_written(const Decl *d) {
  return d->inside ? d->inside : d->name;
}
// the function that is being parsed, or around the body that is
Ident *written_function(Unit *u);
// awaitable.c: something that is neither task nor job
Node *await_object(Unit *u, Node *n);
// a call of fm_complete or fm_fail; false: it is none
bool check_completion(Unit *u, Node *e);
bool is_completion_name(const Ident *id);
// by assignment, with what the C compiler could judge as well
void check_given(Unit *u, Node *value, Type *to);
// of the macros of sync.h and agent.h: its type is checked as a function of ours
bool is_library_value(const Ident *id);
void check_async_call(Unit *u, Node *e, Type *f);
// blocking.c: a libc function that waits, called in async code
void redirect_call(Unit *u, Node *call);
// a variable of the thread, mentioned there
void note_thread_local(Unit *u, Node *e);
TokIndex first_token(Node *e); // of a call: where what is called begins
// a call of an async function's pausing version
bool is_pause_call(const Node *e);
// in the output these tokens read otherwise
void edit(Unit *u, Range r, const char *text);
// of a pointer to an async function, outside bodies
void edit_declarator(Unit *u, Specs *s, Declarator *d);
// NULL: none begins there
const char *edit_at(Unit *u, TokIndex t, TokIndex *to);
// the i-th in the order of the text; NULL: no more
const char *edit_number(Unit *u, size_t i, Range *r);

// ---- errors (throws.c) ----
struct Throws { // a set of errors
  Type *type;   // a structure, canonical; NULL: any, unless
  Symbol *sym;  // what that local task or job may throw
  Throws *next;
};
typedef struct Catch {
  Type *type;
  bool rethrows;
  struct Catch *next;
} Catch; // type NULL: all
// a try or scope around what is being parsed
struct Try {
  Try *outer;
  Catch *catches, **tail;
  bool scope, in_atomic;
  int witness;
};
struct Thrown { // a place that may throw
  Throws *set;
  Try *at;
  TokIndex tok;
  bool fits;           // a task or job is stored, where only
  Throws *into;        // these are declared
  const char *dropped; // no one would hear of it: what it is; else NULL
  // a task that is not kept, and no spawn: a warning
  bool unawaited;
  Symbol *keeper; // in Unit.kept: the variable that holds the task
  // and the function in which a scope throws its error from `at`; NULL: no scope
  Symbol *thrower;
  Thrown *next;
};
bool at_throws(Unit *u);
Throws *parse_throws(Unit *u);
Throws *throws_one(Unit *u, Type *t);
const char *throws_text(Unit *u, const Throws *set); // ` throws(…)`, or nothing
bool throws_equal(const Throws *a, const Throws *b);
void note_thrown(Unit *u, Throws *set, TokIndex tok);
void note_dropped(Unit *u, Throws *set, TokIndex tok, const char *what);
Throws *call_throws(Unit *u, Node *call);
Throws *throws_of(Unit *u, Node *e); // of a task or job
// a task or job is stored; into: NULL or a variable
void give_throws(Unit *u, Node *from, Type *to, Symbol *into);
void give_throws_to(Unit *u, Node *lvalue, Node *from);
void check_throws_fit(Unit *u, Node *from, Type *f, Type *to);
void check_thrown(Unit *u, Type *f); // at the end of a body
Throws *thrown_by_body(Unit *u);     // of an activate or job
void note_unawaited(Unit *u, Throws *set, TokIndex tok);
void warn_unawaited(Unit *u, Thrown *k); // if it throws anything
// unawaited.c
// the expressions of which e is the value
Node *value_parts(Node *e, Node **second);
void drop_value(Unit *u, Node *e); // the value of e is not used
// before the `;` of an expression: it is a statement expression's value
bool is_value_of_block(Unit *u);
void forget_use(Node *e); // this mention of a variable uses nothing
// a task is stored in a variable
void note_kept(Unit *u, Symbol *into, Node *from);
void check_kept(Unit *u); // at the end of a function

// ---- types of expressions (check.c, call.c) ----
Type *rvalue(Unit *u, Node *e); // the type of e's value: decayed, unqualified
void used_as_value(Unit *u, Node *e); // an array here gives its address away
// an operand or condition; false: it is a task, and that was an error
bool check_no_task(Unit *u, Node *e, TokIndex t);
// by assignment: what the C compiler cannot judge, since it sees descriptors and handles
void check_convert(Unit *u, Node *from, Type *to);
void check_number(Unit *u, Node *e);
void check_char(Unit *u, Node *e);
void check_string(Unit *u, Node *e);
void check_ident(Unit *u, Node *e, bool called);
void check_unary(Unit *u, Node *e);
void check_binary(Unit *u, Node *e);
void check_assign(Unit *u, Node *e);
void check_cond(Unit *u, Node *e);
void check_cast(Unit *u, Node *e);
void check_index(Unit *u, Node *e);
void check_member(Unit *u, Node *e, Ident *name);
void check_call(Unit *u, Node *e);
void check_generic(Unit *u, Node *e);
// types that depend on the arguments; false: an ordinary call
bool check_builtin_call(Unit *u, Node *e);
// NULL: not a builtin; TY_ERROR: one we know nothing about
Type *builtin_type(Unit *u, Ident *name);
bool never_returns(const Node *e); // it calls a function that does not
// what is true of e because it is true of its part
void flags_up(Node *e, Node *part);

// ---- constants (fold.c) ----
void fold_unary(Unit *u, Node *e);
void fold_binary(Unit *u, Node *e);
void fold_cond(Unit *u, Node *e);
void fold_cast(Unit *u, Node *e);
void set_const(Unit *u, Node *e, int64_t v); // wrapped to e's type
int64_t wrap_int(Unit *u, Type *t, int64_t v);

// ---- printing (print.c, print-type.c, assert.c) ----
typedef struct Printer {
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
} Printer;
void print_sync(Printer *p, TokIndex t); // move to the line of token t
// the line is not known: the next print_sync() says it
void print_lost(Printer *p);
void print_range(Printer *p, Range r); // tokens as written
void print_tok(Printer *p, TokIndex t);
void print_text(Printer *p, const char *s);
void print_statement(Printer *p, Node *s);
// How tightly an expression binds, the comma least; as a parameter: how tightly it has to where it
// is put. Whoever prints an expression says so, and print_expr puts the parentheses. The operators'
// own are L_COND + precedence().
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
Level expr_level(Printer *p, Node *e); // as it is printed
// printed with __extension__: no one is to be warned of its extensions
bool is_library_macro(const Node *e);
// & or * of an async function: a descriptor is an array, f, &f and *f are one
bool is_dropped_operator(Printer *p, Node *e);
bool is_descriptor_operator(const Node *e);
void print_expr(Printer *p, Node *e, Level least);
void print_initializer(Printer *p, Node *e);
void print_type(Printer *p, Type *t, const char *name, TokIndex name_tok);
void print_declarator(
    Printer *p, Type *t, Type *base, const char *name, TokIndex name_tok);
void print_specs(Printer *p, Specs *s);
void print_attributes(Printer *p, Range r); // those among the tokens
void print_type_name(Printer *p, TypeName *n);
// with its types asserted where Printer.asserts
void print_checked(Printer *p, Node *e, Level least);
void print_layout_asserts(Printer *p);
void put_line_marker(
    Unit *u, Buf *out, uint32_t line, uint16_t file, bool system);
// a comment before that label does, in the source
bool says_fall_through(Unit *u, TokIndex label);

// ---- async functions (lower-expr.c, live.c, assigned.c, residents.c) ----
typedef enum VaKind {
  // HOLDER: with one in it
  VA_NO_LIST,
  VA_LIST,
  VA_HOLDER
} VaKind;
struct Local { // a variable of an async function
  Symbol *sym;
  Decl *decl; // NULL: a parameter, a temporary, a literal
  Async *owner;
  // lives in the frame: an array, or its address is taken
  bool resident;
  bool addressed, temp;
  bool va_pointed; // a va_list whose address was taken by `&`
  uint8_t va;      // VaKind
  // it begins as 0, so that no compiler doubts that it has a value
  bool zeroed;
  // no pause is in its scope: each version declares it where the source does
  bool placed;
  // a compound literal; it has storage of its own only if resident
  bool literal;
  bool begins; // its declaration gives it a value
  // while debug.c looks at what is visible: another one has its name
  bool covered;
  bool captured; // an activate inside uses it
  // what is hoisted asks for its type: no compiler is to call it unused
  bool mentioned;
  // it is assigned to, behind its declaration; valid after find_live
  bool changed;
  // another local that some pause in its scope has to keep: it needs another name
  bool hides;
  // by a block's declaration of what lies outside: it needs another name, too
  bool hidden;
  // in the resume version it is one with another of its name, which is declared before
  bool again;
  // in the resume version and in the frame: unique in the function
  const char *name;
  int index;      // in Async.locals
  int slot;       // frame field; -1: none
  uint32_t align; // what its declaration asks for; 0: its type's
  TokIndex scope_from, scope_to;
};
typedef enum Why {
  // not a pause, only a place for backtraces
  WHY_START,
  WHY_CALL,
  WHY_AFTER,
  WHY_AWAIT,
  WHY_YIELD,
  WHY_AUTO,
  WHY_JOIN,
  WHY_TAIL,
  WHY_THROW
} Why;
typedef struct State {
  TokIndex tok;
  uint64_t *live; // by Local.index, what is needed after the pause
  // where it goes on when what it waits for unwinds; NULL: the function is left
  Ident *landing;
  bool used;
  // the function may still wait, or start something, after it
  bool more;
  bool past; // it may have waited before
  uint8_t why;
} State;
struct Async { // an async function
  Unit *u;
  Decl *decl;
  Type *type;       // canonical TY_FUNC
  const char *name; // in generated names
  Item *item;
  Node *body; // lowered
  Vec locals; // Local *
  // Hoisted *: types and static objects that move to file scope, in order
  Vec hoisted;
  int nhoisted;
  State *states;
  int nstates, cap_states;
  int ntemps, nlabels;
  // Symbol *: temporaries that lowering made; the first temps_used are in use
  Vec temps;
  size_t temps_used;
  bool frame_on_entry; // something is resident
  bool lands;          // something is to be done when a call unwinds
  bool of_library;     // reports name where its caller stands
  // how many ways lead there but those of quick operations
  int landings;
  bool quick; // there are some of these
  bool thunk; // its atomic version runs the others, contained
  bool arm;   // of a race: its body is one expression
  // a job's or thunk's body: variables of the function around are not its own
  bool boundary;
  // a thunk's body: it is called through a pointer, as any function is
  bool function;
  bool infers; // a job's body: what it returns is not yet known
  // a job's body, until the function around has been parsed
  Node *pending;
  Vec jobs; // Async *: the bodies of jobs and thunks in it
  // of an activate's body: the function around it; else NULL
  Async *up;
  Vec inner; // Async *: the bodies of its activates
  // of an activate's body: the outermost loop of `up` around it; 0: none
  TokIndex loop;
  // and the innermost scope of `up` of which it uses a variable; -1: none
  int share_depth;
  // blocks that wait for activities which share their variables
  int ngroups;
  // yields by itself: around calls; on the way back in loops
  bool auto_yield, loop_yield;
  bool one_body; // call and resume are entries to the same code
  // the automatic yield that the check on entry makes; 0: none
  TokIndex entry_yield;
  // for the witness: Symbol * of the functions around, Ident *
  Vec shares, labels;
  bool own_labels; // __label__ stands in it
  int witness;     // the label at its end; 0: none
  TokIndex opens;  // of a body inside a function: its brace
  // the first alloca, setjmp or label address; 0: none
  TokIndex still;
  TokIndex label_at; // the address of a label that was read last, or 0
  const char *still_what;
  bool has_va_list; // a variable of that type, or `...`
  Local *varargs;   // stands for `...`, not in `locals`; or NULL
};
// a tag's definition, a typedef, or a static object
typedef struct Hoisted {
  Range range;
  Decl *decl;
} Hoisted;
// for a variable declared in the body being parsed
Local *new_local(Unit *u, Symbol *s);
// of an object or function of file scope, declared in the body being parsed
void note_hidden(Unit *u, const Symbol *s);
// a name in a body: perhaps a variable of a function around an activate
void note_use(Unit *u, Symbol *s, TokIndex t);
Async *new_async(Unit *u, Decl *d);
// a compound literal is an object: give it a variable, in case that must stand still
void name_literal(Unit *u, Node *e);
// its address is taken: the variable inside has to stand still
void note_address(Node *e);
// hoist.c: what moves to file scope. A mark is Unit.mentions.len where the text in question begins.
// a name in an expression: perhaps of an automatic variable
void note_mention(Unit *u, Node *e);
// the text from there on does not name automatic variables any more
void detach(Unit *u, size_t mark, TokIndex from);
// that no one else has; name: NULL or the user's
const char *hoisted_name(Unit *u, const Ident *name);
// a tag defined in an async function
void hoist_tag(Unit *u, size_t mark, Range definition);
// a typedef or static object of an async function
void hoist_decl(Unit *u, Decl *d);
bool print_detached(Printer *p, const Symbol *s); // false: its name will do
void print_hoisted(Printer *p, Async *a);
// of an async function's type: it will stand before the function
void name_definition(Unit *u, const Specs *s, const Ident *declared);
// `struct s { … };`, if there is one
void print_definition(Printer *p, const Specs *s);
void lower_async(Async *a, Node *body);
// a plain function that uses the dialect
Node *lower_plain(Async *a, Node *body, bool atomic);
// all of it, for a body that has been parsed
void finish_async(Async *a, Node *body);
void find_live(Async *a);
// varargs.c
typedef enum VaOperation { VA_NONE, VA_START, VA_COPY, VA_END } VaOperation;
VaOperation va_operation(const Node *call);
bool is_va_start(const Node *f);          // it is that name
void print_va_start(Printer *p, Node *e); // its arguments
// of va_start and the like; NULL: no local
Symbol *va_list_variable(const Node *call);
bool is_va_list(Unit *u, Type *t);
void check_va_call(Unit *u, Node *e);
void note_va_address(Unit *u, Node *e); // `&e`
void refuse_va_capture(Unit *u, Symbol *s, TokIndex t);
void check_begun(Unit *u, TokIndex t, Node *call); // by spawn, run, job
bool begins_in_call(const Async *a);               // it cannot begin in a frame
// a parameter of the function type f is one
bool takes_va_list(Unit *u, const Type *f);
void refuse_variadic(Async *a);
void find_va_lists(Async *a);
// a va_list or `...` is needed there
bool holds_va(const Async *a, const State *s);
void refuse_va_pauses(Async *a); // after the liveness is known
void warn_kept_tails(Async *a);  // after find_live(): -Wtail-call
// after choose_residents(): `return f(x);` at `at` needs what is in the frame
bool tail_keeps_frame(const Async *a, TokIndex at);
// after find_live(): some `return f(x);` does not
bool gives_frame_away(const Async *a);
void forget_not_given(Async *a); // in State.live: what cannot have a value yet
// of N_PAUSE; else it is only looked at whether it threw
bool pauses_there(const Node *call);
// after lowering: of those with nothing between, one stays
void merge_yields(Async *a);
// no one else can notice whether it is evaluated before or after a switch
bool unseen(const Node *e);
bool unseen_statement(const Node *s); // likewise
// once it is known which states are used: Async.one_body
void choose_form(Async *a);
// of an operation of the library that has a quick version: see abi-node.h
bool is_quick_call(const Node *call);
// this N_PAUSE has a second state, behind the call, for the end of a slice
bool has_second_state(const Node *s);
// after find_live(): that pause keeps the variable
bool live_at(const State *s, const Local *k);
// a variable of this function that pauses may have to keep
bool is_tracked(const Symbol *s);
// the declarations of what lowering made
void print_temps(Printer *p, Async *a);
void async_free(Async *a);
void report_async(Unit *u, Buf *out);         // --list-yields, --frame-report
const char *error_type_name(Type *t);         // as fm_error_name() gives it
void print_file_name(Printer *p, TokIndex t); // as a string
// an error goes to the handler s->d, or leaves the function
void print_left(Printer *p, Node *s);
// asyncdirect: d->type becomes what callers see
void split_direct(Unit *u, Decl *d);
void emit_direct(Unit *u, Item *it, Buf *out);
void emit_jobs(Async *a, Item *it, Buf *out); // those of a plain function
void emit_async(Async *a, Buf *out);          // the whole definition
void emit_async_prototype(Unit *u, Decl *d, Printer *p);
// an async function whose generated functions are static
bool is_internal(const Decl *d);
const char *descriptor_linkage(const Decl *d);
// function-attributes.c: the attributes of async functions.
void check_async_attributes(Unit *u, Decl *d);
bool has_async_attributes(const Decl *d); // or another name
bool is_always_inline(Unit *u, const Symbol *f);
void print_function_attributes(Printer *p, const Decl *d, const char *version);
void print_descriptor_attributes(Printer *p, const Decl *d);
// version "": of the descriptor
void print_label(Printer *p, const Decl *d, const char *version);
void print_code_attributes(Printer *p, const Async *a, bool cold);
// N_PAUSE, N_TAIL, N_RETURN … in the version being printed
void print_async_stmt(Printer *p, Node *s);
void print_async_expr(Printer *p, Node *e);
// the lengths in a variably modified type, from the outside in
int vm_lengths(Type *t, Node **exprs, int most);
// as an lvalue of its type; path: `fm__f->`
void print_vm_variable(Printer *p, Local *k, const char *path);
// its lengths are fixed, an array's elements are made
void print_vm_declaration(Printer *p, Local *k);
void print_vla_frees(Printer *p);
// it is an array of variable length that lives in the frame
bool is_vla(const Local *k);
void print_frame(Printer *p, Async *a); // its type
// f__fm_start: makes a frame of the arguments
void print_start(Printer *p, Async *a);
void print_spill(Printer *p, Async *a); // f__fm_spill
// What residents.c, frame.c and versions.c share: text of ours, with its newlines counted; the
// parts of a version's heading; frame fields.
void print_say(Printer *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
// of variables, as a statement
void print_copy(Printer *p, Type *t, const char *to, const char *from);
void print_args(Printer *p, Type *f); // `, x, y`
// returned: NULL: a frame
void print_header(
    Printer *p, Async *a, const char *what, bool domain, Type *returned);
bool never_comes_back(const Decl *d); // its atomic version
// the value of an fm_code
void print_code_of(Printer *p,
                   Async *a,
                   const char *resume,
                   int nstates,
                   const char *frame,
                   int lands);
// the name of what makes its frame: "start", or "full"
const char *full_start(Async *a);
Type *returned(Async *a);
bool returns_void(Async *a);
int slot_count(Async *a);
// the first variable that has that field, or NULL
Local *slot_first(Async *a, int slot);
void print_call_version(Printer *p, Async *a);
void print_resume_version(Printer *p, Async *a);
void print_one_body(Printer *p, Async *a); // in place of these two
void print_atomic_version(Printer *p, Async *a);
void print_atomic_thunk(Printer *p, Async *a);
void print_main(Printer *p, Async *a);
// of what is live there, in the resume version
void print_stores(Printer *p, Async *a, int state);
void print_dummy(Printer *p, Async *a); // returns: the value means nothing
// return f__fm_spill(…): makes the frame, stores what is live, leaves
void print_return_spill(Printer *p, int state, bool after);
// ---- the witness (witness.c) ----
// What the parser marks: in plain C these tokens read otherwise, or this text stands before or
// after them.
void witness_before(Unit *u, TokIndex t, const char *text);
void witness_after(Unit *u, TokIndex t, const char *text);
// of the tokens from..to-1
void witness_instead(Unit *u, TokIndex from, TokIndex to, const char *text);
void witness_drop(Unit *u, TokIndex t);
// These are called when the construct has been read: its last token is the one before Unit.p.
void witness_await(Unit *u, Node *n);
void witness_begin(Unit *u, TokIndex keyword, TokIndex operand, bool job);
void witness_place(Unit *u, TokIndex word);
void witness_completed(Unit *u, TokIndex from, TokIndex to, Type *t);
void witness_yield(Unit *u, TokIndex t);
void witness_throw(Unit *u, Node *n);
void witness_defer(Unit *u, Node *n);
void witness_scope(Unit *u, Node *n, TokIndex body, TokIndex other);
void witness_may_throw(Unit *u, TokIndex first, bool declares);
void witness_catch(Unit *u, Node *n, bool first, TokIndex close);
void witness_try(Unit *u,
                 Node *n,
                 const Try *t,
                 TokIndex body_end,
                 TokIndex catches_end,
                 TokIndex finally);
void witness_shares(Async *a, Symbol *s);
void witness_activate(Unit *u,
                      Node *n,
                      Async *a,
                      TokIndex bracket,
                      TokIndex copies,
                      TokIndex body);
void witness_return(Unit *u, Node *n, bool infers);
void witness_job(Unit *u, Node *n, Async *a, TokIndex body);
void witness_thunk(Unit *u, Node *n, Async *a, TokIndex body);
void witness_race(Unit *u, TokIndex t);
void witness_arm(Unit *u, Node *n, int number, TokIndex colon, TokIndex last);
void witness_direct(Unit *u, TokIndex from, const Decl *d, bool body);
void witness_function(Unit *u);
void witness_recursion(Unit *u, Range definition, const Ident *name);
void emit_witness(Unit *u, Buf *out);
// place.c: text at the user's lines and columns.
typedef struct Place {
  Unit *u;
  Buf *out;
  // where the C compiler believes to be, if that is known
  uint16_t file;
  uint32_t line, column;
  bool system, known;
  bool begun;    // what the text of ours needs has been declared
  uint32_t done; // of Unit.text
  // the token that was put last; 0: something else was
  TokIndex last;
  // the tokens of a line of which the columns are known
  TokIndex from, to;
  uint32_t *columns;
  bool *ours; // likewise: it comes from a macro of the library
  size_t cap;
} Place;
void place_token(Place *p, TokIndex t);
// loud: it may draw warnings
void place_ours(Place *p, TokIndex t, const char *text, bool loud);
void place_header(Place *p, const char *text);
// tokens of system headers as they stand, none from `before` on; → the next
TokIndex place_system(Place *p, TokIndex t, TokIndex before);
void place_free(Place *p);
// debug.c: what a debugger is told.
bool for_debugging(const Unit *u); // -g, and the C compiler does not optimise
void keep_visible(Async *a); // adds to State.live what the user can see there
// which variables keep their own names side by side; text: the body
void name_locals(Async *a, Range text);
void print_names(Printer *p, Async *a);         // struct f__fm_names
void print_pointer_types(Printer *p, Async *a); // f__fm_at_x
void print_pointers(Printer *p, Async *a);      // to what lives in the frame
void print_pointer_again(Printer *p, Local *k);
// the parameter is called otherwise, since a pointer has its name
bool moves_to_frame(Printer *p, Param *q);
// in the call version: as declared, unless that hides another or is hidden
const char *call_name(const Local *k);
bool print_async_decl(Printer *p, Node *s); // false: as in plain C
// V_PLAIN: not inside an async function
typedef enum Version { V_PLAIN, V_CALL, V_RESUME, V_ATOMIC } Version;

// ---- the unit ----
typedef struct HeldDiag {
  char *text;
  bool is_error;
  struct HeldDiag *next;
} HeldDiag;
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
  SourceFile *files;
  size_t nfiles;
  // the first token after `#pragma fermata`; ntoks: never
  TokIndex dialect_from;
  bool dialect; // some `#pragma fermata` stands in the unit

  TokIndex p;       // parser: the token to be looked at next
  int depth;        // nesting of what is being parsed
  jmp_buf *recover; // where fail_at() goes
  // a plain declaration: keep quiet, the C compiler will tell
  bool hold_errors;
  HeldDiag *held, **held_tail;
  int errors; // reported
  Scope *scope;
  int scope_depth;
  Symbol *func; // whose body is being parsed; NULL at file scope
  // the async function whose body is being parsed, or NULL
  Async *async;
  int atomic_depth; // inside `atomic`
  // the outermost loop being parsed in this function; 0: none
  TokIndex loop;
  // around what is being parsed: loops and switches, loops, switches
  int breakable, loops, switches;
  Try *tries;     // around what is being parsed
  Thrown *thrown; // in this body so far
  // tasks that local variables of this function were given
  Thrown *kept;
  // Unit.scope_depth in the block of the statement expression around; 0: none
  int value_depth;
  Catch *catching; // the catch whose body is being parsed, or NULL
  int cleanup;     // inside finally or defer
  // some pointer to a function that throws has been declared
  bool throwing_pointers;
  // a body that uses the dialect: no undeclared function may be called
  bool strict;
  TokIndex operand_at; // where the operand of spawn, run … begins
  TokIndex await_at;   // and that of await
  int unevaluated;     // inside typeof
  // in an operand of which only the type is wanted: of typeof, sizeof, _Alignof, _Generic
  int only_type;
  int nbodies; // activates, arms, jobs, thunks so far
  // Async *: of the function being parsed; thunks as well
  Vec jobs;
  // Node *: names of automatic variables in the async body being parsed
  Vec mentions;
  int nested; // functions inside functions, here
  // of npauses: calls that are there only because they throw
  int nthrows;
  // nodes with NF_PAUSE; statements that have to be lowered; so far in this body
  int npauses, natomics;
  Vec asyncs; // Async *, every definition
  Vec edits;  // Edit *
  bool edits_sorted;
  Vec marks;    // Mark *: witness.c
  int nwitness; // numbers what it names
  // of the function being parsed: Async *, Ident *, for the witness
  Vec bodies, labels;
  bool no_witness;  // the unit cannot be written as plain C
  int record_depth; // inside a structure's braces
  Type *scalars[TY_DEC128 + 1];
  Type *va_list_type;
  // the first of Unit.pragmas not yet seen by pack_now()
  size_t pack_pragma;
  uint32_t pack, pack_stack[64];
  int pack_depth;
  // every complete Tag of file scope, for TRANSLATE_ASSERT
  Vec tags;
  Item *items, **items_tail;
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
void emit_unit(Unit *u, Buf *out); // emit.c

#endif
