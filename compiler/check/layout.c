// layout.c: sizes and alignments, as the System V ABIs (x86-64, i386, AArch64 …) and WebAssembly's
// lay types out.
// The sizes serve to fold `sizeof` in array lengths and the like. In the generated C the expression
// itself is printed, so the C compiler decides. A size that is not known (an attribute that fmcc
// does not model) is -1, and so is every size that depends on it.
#include "fmcc.h"

#include <stdlib.h>

// The size of a scalar type: the bits of its value (0: it is no integer) and its bytes in memory,
// on targets with 64-bit long and on targets with 32-bit long.
typedef struct ScalarSize {
  uint8_t bits;
  uint8_t bits32;
  uint8_t bytes;
  uint8_t bytes32;
} ScalarSize;

#define INTEGER(n) \
  { n, n, n / 8, n / 8 }
#define BYTES(n) \
  { 0, 0, n, n }
static const ScalarSize scalars[TY_TYPEOF + 1] = {
  [TY_VOID] = BYTES(1), // GNU C: sizeof (void) is 1
  [TY_BOOL] = { 1, 1, 1, 1 },
  [TY_CHAR] = INTEGER(8),
  [TY_SCHAR] = INTEGER(8),
  [TY_UCHAR] = INTEGER(8),
  [TY_SHORT] = INTEGER(16),
  [TY_USHORT] = INTEGER(16),
  [TY_INT] = INTEGER(32),
  [TY_UINT] = INTEGER(32),
  [TY_LONG] = { 64, 32, 8, 4 },
  [TY_ULONG] = { 64, 32, 8, 4 },
  [TY_LLONG] = INTEGER(64),
  [TY_ULLONG] = INTEGER(64),
  [TY_INT128] = INTEGER(128),
  [TY_UINT128] = INTEGER(128),
  [TY_FLOAT16] = BYTES(2),
  [TY_BF16] = BYTES(2),
  [TY_FLOAT] = BYTES(4),
  [TY_FLOAT32] = BYTES(4),
  [TY_DEC32] = BYTES(4),
  [TY_DOUBLE] = BYTES(8),
  [TY_FLOAT64] = BYTES(8),
  [TY_FLOAT32X] = BYTES(8),
  [TY_DEC64] = BYTES(8),
  [TY_LDOUBLE] = { 0, 0, 16, 12 },
  [TY_FLOAT64X] = { 0, 0, 16, 12 },
  [TY_FLOAT128] = BYTES(16),
  [TY_DEC128] = BYTES(16),
  [TY_POINTER] = { 0, 0, 8, 4 },
  [TY_FUNC] = BYTES(1),
  [TY_JOB] = BYTES(8), // as in abi.h
  [TY_TASK] = BYTES(16),
};

bool is_i386_like(const Unit *u) {
  return u->opt.ilp32 && !u->opt.wasm32;
}

int int_bits(Unit *u, Type *t) {
  t = canon(t);
  if (t->kind == TY_BITINT || t->kind == TY_UBITINT)
    return t->bits;
  if (t->kind == TY_ENUM)
    return t->tag->underlying ? int_bits(u, t->tag->underlying) : 32;
  const ScalarSize *s = &scalars[t->kind];
  return u->opt.ilp32 ? s->bits32 : s->bits;
}

static int64_t bitint_size(int bits) {
  int64_t n = 1;
  while (n * 8 < bits && n < 8)
    n *= 2;
  return n * 8 >= bits ? n : (bits + 63) / 64 * 8;
}

// The size of a scalar. -1: t is no scalar, or its size is not known.
static int64_t scalar_size(Unit *u, Type *t) {
  if (t->kind == TY_BITINT || t->kind == TY_UBITINT)
    return bitint_size(t->bits);
  if (t->kind == TY_ENUM)
    return int_bits(u, t) / 8 ? int_bits(u, t) / 8 : -1;
  const ScalarSize *s = &scalars[t->kind];
  int bytes = u->opt.ilp32 ? s->bytes32 : s->bytes;
  if (u->opt.wasm32 && t->kind == TY_LDOUBLE)
    bytes = s->bytes;
  return bytes ? bytes : -1;
}

static int64_t times(int64_t a, int64_t b) {
  int64_t r;
  return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &r) ? -1 : r;
}

static int64_t round_up(int64_t n, int64_t align) {
  return align > 0 ? (n + align - 1) / align * align : n;
}

// With clang, a vector of three elements has the size of four.
static int64_t vector_size(Unit *u, Type *t) {
  int64_t n = times(type_size(u, t->base), t->len);
  int64_t p = 1;
  if (n > INT64_MAX / 2)
    return -1;
  while (p < n)
    p *= 2;
  return n < 0 ? -1 : p;
}

static bool is_laid_out(Unit *u, Tag *g) {
  if (g->complete)
    tag_layout(u, g);
  return g->complete;
}

int64_t type_size(Unit *u, Type *t) {
  t = canon(t);
  switch (t->kind) {
  case TY_ERROR:
    return -1;
  case TY_STRUCT:
  case TY_UNION:
    return is_laid_out(u, t->tag) ? t->tag->size : -1;
  case TY_ENUM:
    return t->tag->underlying ? type_size(u, t->tag->underlying) : -1;
  case TY_ARRAY:
    return t->vla || t->incomplete ? -1 : times(type_size(u, t->base), t->len);
  case TY_VECTOR:
    return vector_size(u, t);
  case TY_COMPLEX:
    return times(type_size(u, t->base), 2);
  default:
    return scalar_size(u, t);
  }
}

static int64_t natural_align(Unit *u, Type *t) {
  switch (t->kind) {
  case TY_ERROR:
    return -1;
  case TY_STRUCT:
  case TY_UNION:
    return is_laid_out(u, t->tag) ? t->tag->align : -1;
  case TY_ARRAY:
    return type_align(u, t->base);
  case TY_COMPLEX:
    return type_align(u, t->base);
  case TY_ENUM:
    return type_size(u, t);
  case TY_BITINT:
  case TY_UBITINT:
    return type_size(u, t) > 8 ? 8 : type_size(u, t);
  case TY_TASK:
  case TY_JOB:
    return 8;
  case TY_LDOUBLE:
    return u->opt.wasm32 ? 8 : type_size(u, t);
  default:
    return type_size(u, t);
  }
}

int64_t type_align(Unit *u, Type *t) {
  for (Type *s = t; s;
       s = s->base) { // a typedef may carry an alignment of its own
    if (s->align)
      return s->align;
    if (s->kind != TY_TYPEDEF && s->kind != TY_TYPEOF)
      break;
  }
  return natural_align(u, canon(t));
}

// i386: inside a record only vectors and records have an alignment above 4.
static int64_t member_align(Unit *u, Member *m, Tag *g) {
  int64_t a = type_align(u, m->type);
  if (is_i386_like(u) && a > 4 && type_is_scalar(m->type) &&
      canon(m->type)->kind != TY_FLOAT128)
    a = 4;
  if (g->packed || m->packed)
    a = 1;
  if (m->attr_align && (int64_t)m->attr_align > a)
    a = m->attr_align;
  if (g->pack && a > g->pack)
    a = g->pack;
  return a;
}

typedef struct Room {
  int64_t bits;
  int64_t align;
  bool unknown;
} Room; // the bits used so far

static int64_t at_least(int64_t n, int64_t least) {
  return n > least ? n : least;
}

// The alignment that a bit-field of this type gives its structure.
static int64_t bitfield_align(Unit *u, Tag *g, Member *m) {
  bool packed = g->packed || m->packed;
  int64_t align = packed ? 1 : type_align(u, m->type);
  if (is_i386_like(u) && align > 4)
    align = 4;
  align = at_least(align, m->attr_align);
  return g->pack && align > g->pack ? g->pack : align;
}

static bool crosses(const Room *r, int64_t width, int64_t unit) {
  return r->bits / unit != (r->bits + width - 1) / unit;
}

static void place_bitfield(Unit *u, Tag *g, Member *m, Room *r) {
  int64_t unit = type_size(u, m->type) * 8;
  bool packed = g->packed || m->packed;
  if (g->kind == TY_UNION)
    r->bits = 0;
  if (m->width == 0) {
    int64_t zero = at_least(type_align(u, m->type), m->attr_align);
    r->bits = round_up(r->bits, zero * 8);
    return;
  }
  if (m->attr_align)
    r->bits = round_up(r->bits, (int64_t)m->attr_align * 8);
  else if (!packed && !g->pack && crosses(r, m->width, unit))
    r->bits = round_up(r->bits, unit);
  m->offset = r->bits / 8;
  m->bit = (int)(r->bits % 8);
  r->bits += m->width;
  if (m->name)
    r->align = at_least(bitfield_align(u, g, m), r->align);
}

static void place_member(Unit *u, Tag *g, Member *m, Room *r) {
  Type *t = canon(m->type);
  bool flexible = t->kind == TY_ARRAY && t->incomplete;
  int64_t size = flexible ? 0 : type_size(u, m->type);
  int64_t align = member_align(u, m, g);
  // sizes are counted in bits here
  if (size < 0 || align < 0 || size > INT64_MAX / 32 ||
      r->bits > INT64_MAX / 4) {
    r->unknown = true;
    return;
  }
  if (g->kind == TY_UNION)
    r->bits = 0;
  m->offset = round_up((r->bits + 7) / 8, align);
  r->bits = (m->offset + size) * 8;
  if (align > r->align)
    r->align = align;
}

void tag_layout(Unit *u, Tag *g) {
  if (g->laid_out)
    return;
  g->laid_out = true;
  g->size = g->align = -1;
  Room r = { .align = 1 };
  int64_t most = 0;
  for (Member *m = g->members; m && !r.unknown; m = m->next) {
    if (m->width >= 0 && type_size(u, m->type) > 0)
      place_bitfield(u, g, m, &r);
    else
      place_member(u, g, m, &r);
    if (r.bits > most)
      most = r.bits;
  }
  if (r.unknown || g->odd_layout)
    return;
  if (g->attr_align > r.align)
    r.align = g->attr_align;
  g->align = r.align;
  g->size = round_up((most + 7) / 8, r.align);
}
