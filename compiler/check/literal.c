// literal.c: the types and values of numbers, character constants and strings (C11 6.4.4, 6.4.5,
// and GNU's additions).
#include "fmcc.h"

#include <ctype.h>
#include <stdlib.h>

// ---- numbers ----
typedef struct Suffix {
  bool uns;
  bool imaginary;
  bool f;
  bool bitint;
  int longs;
  TypeKind exact;
} Suffix;

// In lower case; the longest suffix first.
static const struct {
  const char *text;
  TypeKind kind;
  // clang-format off
} float_suffixes[] = {
  { "f128x", TY_FLOAT128 },
  { "f32x", TY_FLOAT32X },
  { "f64x", TY_FLOAT64X },
  { "f128", TY_FLOAT128 },
  { "bf16", TY_BF16 },
  { "f16", TY_FLOAT16 },
  { "f32", TY_FLOAT32 },
  { "f64", TY_FLOAT64 },
  { "df", TY_DEC32 },
  { "dd", TY_DEC64 },
  { "dl", TY_DEC128 },
  { "q", TY_FLOAT128 },
  { "w", TY_LDOUBLE },
};
// clang-format on

static Suffix read_suffix(const char *s, const char *end) {
  Suffix x = { 0 };
  char low[16] = { 0 };
  size_t n = 0;
  for (const char *c = s; c < end && n < sizeof low - 1; c++)
    low[n++] = (char)tolower((unsigned char)*c);
  char *at = low;
  while (*at) {
    bool found = false;
    for (size_t i = 0; i < COUNT(float_suffixes) && !found; i++) {
      size_t k = strlen(float_suffixes[i].text);
      if (strncmp(at, float_suffixes[i].text, k) != 0)
        continue;
      x.exact = float_suffixes[i].kind;
      at += k;
      found = true;
    }
    if (found)
      continue;
    if (strncmp(at, "wb", 2) == 0)
      x.bitint = true;
    if (*at == 'u')
      x.uns = true;
    if (*at == 'l')
      x.longs++;
    if (*at == 'f')
      x.f = true;
    if (*at == 'i' || *at == 'j')
      x.imaginary = true;
    at++;
  }
  return x;
}

static Type *integer_type(Unit *u, uint64_t v, bool decimal, Suffix x) {
  static const TypeKind order[] = { TY_INT,   TY_UINT,  TY_LONG,
                                    TY_ULONG, TY_LLONG, TY_ULLONG };
  int first = x.longs >= 2 ? 4 : x.longs ? 2 : 0;
  for (int i = first; i < 6; i++) {
    bool uns = i & 1;
    if (x.uns ? !uns : uns && decimal)
      continue;
    int bits = int_bits(u, type_scalar(u, order[i]));
    uint64_t most = bits == 64 ? (uns ? UINT64_MAX : INT64_MAX)
                               : ((uint64_t)1 << (bits - !uns)) - 1;
    if (v <= most)
      return type_scalar(u, order[i]);
  }
  // a decimal that only __int128 holds
  return type_scalar(u, u->opt.clang || u->opt.ilp32 ? TY_ULLONG : TY_INT128);
}

static Type *bitint_type(Unit *u, uint64_t v, bool uns) {
  Type *t = type_new(u, uns ? TY_UBITINT : TY_BITINT, NULL);
  int bits = 1;
  while (bits < 64 && v >> bits)
    bits++;
  t->bits = (uint16_t)(bits + !uns < 2 && !uns ? 2 : bits + !uns);
  return t;
}

static bool is_float(const char *s, size_t n, bool hex) {
  for (size_t i = 0; i < n; i++)
    if (s[i] == '.' ||
        (hex ? s[i] == 'p' || s[i] == 'P' : s[i] == 'e' || s[i] == 'E'))
      return true;
  return false;
}

static Type *complex_if(Unit *u, Type *t, bool imaginary) {
  return imaginary ? type_new(u, TY_COMPLEX, t) : t;
}

static bool is_digit(char c) {
  return isdigit((unsigned char)c);
}

// The beginning of the suffix of a floating constant: after the digits of the exponent, if any.
static size_t float_suffix(const char *text, size_t n, bool hex) {
  size_t k = strcspn(text, hex ? "pP" : "eE");
  if (k < n) {
    k++;
    while (k < n && (is_digit(text[k]) || text[k] == '+' || text[k] == '-'))
      k++;
    return k;
  }
  k = 0;
  while (k < n && (is_digit(text[k]) || text[k] == '.' || text[k] == '\''))
    k++;
  return k;
}

static TypeKind float_kind(const Suffix *x) {
  if (x->exact)
    return x->exact;
  if (x->f)
    return TY_FLOAT;
  return x->longs ? TY_LDOUBLE : TY_DOUBLE;
}

static void
float_constant(Unit *u, Node *e, const char *text, size_t n, bool hex) {
  Suffix x = read_suffix(text + float_suffix(text, n, hex), text + n);
  e->type = complex_if(u, type_scalar(u, float_kind(&x)), x.imaginary);
}

static int digit_value(char c) {
  return isdigit((unsigned char)c) ? c - '0'
                                   : (tolower((unsigned char)c) - 'a') + 10;
}

typedef struct Digits {
  int base;
  size_t end;     // the beginning of the suffix
  uint64_t value; // modulo 2^64
  bool wide;      // too large for 64 bits
} Digits;

static bool has_prefix(const char *text, char small, char capital) {
  return text[0] == '0' && (text[1] == small || text[1] == capital);
}

static int number_base(const char *text) {
  if (has_prefix(text, 'x', 'X'))
    return 16;
  if (has_prefix(text, 'b', 'B'))
    return 2;
  return text[0] == '0' ? 8 : 10;
}

static bool is_digit_of(char c, int base) {
  return is_digit(c) || (base == 16 && isxdigit((unsigned char)c));
}

static Digits read_digits(const char *text) {
  Digits d = { .base = number_base(text) };
  size_t i = d.base == 16 || d.base == 2 ? 2 : 0;
  for (; is_digit_of(text[i], d.base) || text[i] == '\''; i++) {
    if (text[i] == '\'')
      continue;
    d.wide |= __builtin_mul_overflow(d.value, (uint64_t)d.base, &d.value);
    d.value += (uint64_t)digit_value(text[i]);
  }
  d.end = i;
  return d;
}

static void integer_constant(Unit *u, Node *e, const char *text, size_t n) {
  Digits d = read_digits(text);
  Suffix x = read_suffix(text + d.end, text + n);
  if (x.exact || x.f) { // 1f, 3df: gcc takes them where it can
    Type *t = type_scalar(u, x.exact ? x.exact : TY_FLOAT);
    e->type = complex_if(u, t, x.imaginary);
    return;
  }
  uint64_t value = d.wide ? UINT64_MAX : d.value;
  Type *t = x.bitint ? bitint_type(u, d.value, x.uns)
                     : integer_type(u, value, d.base == 10, x);
  e->type = complex_if(u, t, x.imaginary);
  if (type_is_integer(e->type) && !d.wide)
    set_const(u, e, (int64_t)d.value);
}

void check_number(Unit *u, Node *e) {
  char text[128];
  size_t n;
  const char *s = tok_text(u, e->tok, &n);
  size_t m = n < sizeof text - 1 ? n : sizeof text - 1;
  memcpy(text, s, m);
  text[m] = 0;
  bool hex = number_base(text) == 16;
  if (n >= sizeof text && !is_float(s, n, hex)) {
    e->type = type_scalar(u, TY_INT);
    error_at(u, e->tok, "this number has too many digits");
    return;
  }
  if (is_float(text, m, hex))
    float_constant(u, e, text, m, hex);
  else
    integer_constant(u, e, text, m);
}

// ---- characters ----
typedef enum Encoding {
  ENC_PLAIN,
  ENC_U8,
  ENC_WIDE,
  ENC_16,
  ENC_32,
} Encoding;

static Encoding encoding(const char **s, bool *raw) {
  Encoding e = ENC_PLAIN;
  if (**s == 'L')
    e = ENC_WIDE, ++*s;
  else if (**s == 'U')
    e = ENC_32, ++*s;
  else if (**s == 'u' && (*s)[1] == '8')
    e = ENC_U8, *s += 2;
  else if (**s == 'u')
    e = ENC_16, ++*s;
  *raw = **s == 'R';
  if (*raw)
    ++*s;
  return e;
}

static Type *unit_type(Unit *u, Encoding e) {
  switch (e) {
  case ENC_WIDE:
    return type_scalar(u,
                       u->opt.short_wchar ? TY_USHORT
                       : is_i386_like(u)  ? TY_LONG
                                          : TY_INT);
  case ENC_16:
    return type_scalar(u, TY_USHORT);
  case ENC_32:
    return type_scalar(u, TY_UINT);
  default:
    return type_scalar(u, TY_CHAR);
  }
}

// byte: an octal or hex escape, which is one element of the string whatever its value.
typedef struct Char {
  uint32_t code;
  bool byte;
} Char;

static uint32_t hex_digits(const char **s, const char *end, int most) {
  uint32_t v = 0;
  for (; *s < end && most-- > 0 && isxdigit((unsigned char)**s); ++*s)
    v = v * 16 + (uint32_t)digit_value(**s);
  return v;
}

// *s points after the backslash.
static Char escape(const char **s, const char *end) {
  static const char from[] = "abfnrtveE";
  static const char to[] = "\a\b\f\n\r\t\v\033\033";
  char c = *(*s)++;
  const char *k = c ? strchr(from, c) : NULL;
  if (c == 'x')
    return (Char){ hex_digits(s, end, 1 << 20), true };
  if (c == 'u' || c == 'U')
    return (Char){ hex_digits(s, end, c == 'u' ? 4 : 8), false };
  if (c >= '0' && c <= '7') {
    uint32_t v = (uint32_t)(c - '0');
    for (int i = 0; i < 2 && *s < end && **s >= '0' && **s <= '7'; i++)
      v = v * 8 + (uint32_t)(*(*s)++ - '0');
    return (Char){ v, true };
  }
  return (Char){ k ? (unsigned char)to[k - from] : (unsigned char)c, false };
}

static Char next_char(const char **s, const char *end, bool raw, bool decode) {
  unsigned char c = (unsigned char)*(*s)++;
  if (c == '\\' && !raw && *s < end)
    return escape(s, end);
  if (c < 0xC0 || !decode)
    return (Char){ c, !decode };
  uint32_t v = c & (c >= 0xF0 ? 7u : c >= 0xE0 ? 15u : 31u);
  while (*s < end && ((unsigned char)**s & 0xC0) == 0x80)
    v = v << 6 | ((unsigned char)*(*s)++ & 63);
  return (Char){ v, false };
}

// How many elements of the string the character needs.
static int units(Char c, Encoding e) {
  if (c.byte || e == ENC_32 || e == ENC_WIDE)
    return 1;
  if (e == ENC_16)
    return c.code > 0xFFFF ? 2 : 1;
  return c.code < 0x80 ? 1 : c.code < 0x800 ? 2 : c.code < 0x10000 ? 3 : 4;
}

static const char *
inside(Unit *u, TokIndex t, Encoding *e, bool *raw, const char **end) {
  size_t n;
  const char *s = tok_text(u, t, &n);
  const char *stop = s + n;
  *e = encoding(&s, raw);
  // skips the quote; a missing closing quote was reported earlier
  if (s < stop)
    s++;
  *end = stop > s && (stop[-1] == '"' || stop[-1] == '\'') ? stop - 1 : stop;
  if (*raw) {
    const char *open = memchr(s, '(', (size_t)(*end - s));
    size_t tag = open ? (size_t)(open - s) : 0;
    s = open ? open + 1 : s;
    *end = *end - s > (ptrdiff_t)tag + 1 ? *end - tag - 1 : s;
  }
  return s;
}

void check_char(Unit *u, Node *e) {
  Encoding enc;
  bool raw;
  const char *end;
  const char *s = inside(u, e->tok, &enc, &raw, &end);
  bool plain = enc == ENC_PLAIN;
  int64_t v = 0;
  int count = 0;
  while (s < end) {
    const bool raw_string = false;
    Char c = next_char(&s, end, raw_string, !plain);
    v = plain ? (int64_t)((uint64_t)v << 8 | (c.code & 0xFF)) : (int64_t)c.code;
    count++;
  }
  e->type = plain           ? type_scalar(u, TY_INT)
            : enc == ENC_U8 ? type_scalar(u, TY_UCHAR)
                            : unit_type(u, enc);
  if (plain && count == 1 && !u->opt.unsigned_char)
    v = (int8_t)v;
  set_const(u, e, v);
}

// ---- strings ----
void check_string(Unit *u, Node *e) {
  Encoding whole = ENC_PLAIN;
  int64_t n = 0;
  for (TokIndex t = e->range.from; t < e->range.to; t++) {
    bool raw;
    const char *s = u->text + tok_at(u, t)->pos;
    Encoding enc = encoding(&s, &raw);
    if (enc)
      whole = enc;
  }
  for (TokIndex t = e->range.from; t < e->range.to; t++) {
    Encoding enc;
    bool raw;
    const char *end;
    const char *s = inside(u, t, &enc, &raw, &end);
    while (s < end) {
      Char c = next_char(&s, end, raw, whole > ENC_U8);
      n += units(c, whole);
    }
  }
  e->type = type_array(u, unit_type(u, whole), n + 1);
  e->flags |= NF_LVALUE;
}
