// type.h: types, and their sizes.
#ifndef FMCC_CHECK_TYPE_H
#define FMCC_CHECK_TYPE_H

#include "base/types.h"

typedef enum TypeKind {
  // after an error, or a type that fmcc does not know (rare builtins): fits everywhere
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
  TY_TYPEOF, // sugar: base is the type that it stands for
} TypeKind;
enum {
  Q_CONST = 1,
  Q_VOLATILE = 2,
  Q_RESTRICT = 4,
  Q_ATOMIC = 8,
};

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
  // the alignment that an attribute of a typedef gives; 0: the natural one
  uint32_t align;
  Type *base;
  // the type without sugar at the top, with all qualifiers; itself if it has no sugar
  Type *canon;
  // the same type without qualifiers; made when it is needed first
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
  AttrUse *uses;     // the same, one by one
  // pointer: attributes after the parenthesis that opens its declarator
  Range paren_attrs;
};
struct Param {
  Type *type;
  Type *written; // before arrays decay
  Type *copied;  // activate's copy of an array
  Ident *name;
  TokIndex tok;
  Range range;
  Symbol *sym;
  Param *next;
};

struct Tag {    // of a struct, union or enum
  uint8_t kind; // TY_STRUCT, TY_UNION, TY_ENUM
  // odd_layout: it has attributes that fmcc does not model
  bool complete, packed, transparent, being_defined, shadowed, local,
      odd_layout;
  Ident *name;         // NULL: none
  const char *emitted; // another name in the generated C, or NULL
  // name_at: its name, or the token before which a name can be put
  TokIndex tok, name_at;
  // an unqualified typedef for it: it can name a nameless tag
  Symbol *typedef_sym;
  // nameless: the structure that has a member of this type, which can spell it,
  Tag *home;
  // and that member; NULL: its members belong to home itself
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

// ---- type.c: making types, and the relations between them ----
extern const char *const scalar_names[];
static inline Type *canon(Type *t) {
  return t->canon;
}
Type *type_scalar(Unit *u, TypeKind k); // the one unqualified type of that kind
// A pointer, complex, function …; its canon is itself.
Type *type_new(Unit *u, TypeKind k, Type *base);
Type *type_pointer(Unit *u, Type *to);
Type *type_array(Unit *u, Type *of, int64_t len);
Type *type_vector(Unit *u, Type *of, int64_t len);
Type *type_qualify(Unit *u, Type *t, unsigned quals);
// Keeps sugar that has no qualifier.
Type *type_unqual(Unit *u, Type *t);
Type *type_sugar(Unit *u, TypeKind k, Type *base);
// Without const, also in the elements of arrays.
Type *type_writable(Unit *u, Type *t);
// The initialiser, as C text, that sets every part to 0.
const char *type_zero(Type *t);
bool type_has_const_member(Type *t); // so it can be initialised, not assigned
// An array type like t, with this length.
Type *type_resize(Unit *u, Type *t, int64_t len);
bool type_is_integer(Type *t); // with enums and bool
bool type_is_real_float(Type *t);
bool type_is_arith(Type *t);  // integers, floats, complex
bool type_is_scalar(Type *t); // arithmetic and pointers
bool type_is_unsigned(Unit *u, Type *t);
bool type_is_record(Type *t); // struct or union
bool type_is_vm(Type *t);     // variably modified
bool type_is_void(Type *t);
// The same type, with variable lengths replaced by 1.
Type *type_fixed(Unit *u, Type *t);
bool type_compatible(Unit *u, Type *a, Type *b); // top qualifiers ignored
Type *type_composite(Unit *u, Type *a, Type *b);
Type *type_promote(Unit *u, Type *t);        // integer promotions
Type *type_arith(Unit *u, Type *a, Type *b); // usual arithmetic conversions
Type *type_to_unsigned(Unit *u, Type *t);
// Looks inside anonymous members, too. Adds to *offset.
Member *type_member(Type *record, Ident *name, int64_t *offset);
const char *type_text(Unit *u, Type *t);    // for messages
const char *type_spelled(Unit *u, Type *t); // in C

// ---- layout.c: sizes, as the System V ABIs lay things out ----
int64_t type_size(Unit *u, Type *t); // -1: incomplete, variable or not known
int64_t type_align(Unit *u, Type *t);
// long has 32 bits, and the rest is as on i386 as well: size_t, wchar_t, the layout of records
bool is_i386_like(const Unit *u);
int int_bits(Unit *u, Type *t); // width of an integer type; 0: not one
void tag_layout(Unit *u, Tag *g);

#endif
