// attr.c: attributes, in both spellings. All are kept as written (their Range); the few that change
// a type's size, alignment or kind are read.
//
//     attributes = { "__attribute__" "((" … "))" | "__declspec" "(" … ")" | "[[" … "]]" }
#include "fmcc.h"

// `__packed__` and `packed` are the same name.
bool attribute_named(Unit *u, TokIndex t, const char *name) {
  size_t n;
  size_t want = strlen(name);
  const char *s = tok_text(u, t, &n);
  if (n == want + 4 && memcmp(s, "__", 2) == 0 &&
      memcmp(s + n - 2, "__", 2) == 0) {
    s += 2;
    n -= 4;
  }
  return n == want && memcmp(s, name, n) == 0;
}

// The constant in parentheses; -1: not known.
static int64_t argument(Unit *u, TokIndex open) {
  TokIndex back = u->p;
  int64_t v = -1;
  u->p = open + 1;
  if (starts_type(u, u->p))
    v = type_align(u, parse_type_name(u)->type);
  else if (!parse_constant(u, &v))
    v = -1;
  u->p = back;
  return v;
}

static const char *mode_name(Unit *u, TokIndex t) {
  size_t n;
  const char *s = tok_text(u, t, &n);
  if (n > 4 && s[0] == '_' && s[1] == '_') {
    s += 2;
    n -= 4;
  }
  return arena_text(&u->arena, s, n);
}

// Whether fmcc itself makes the call of a cleanup function. It does so in async functions. In plain
// functions it does so if the cleanup function throws, because the C compiler could not call it.
static bool cleans_explicitly(Unit *u, TokIndex name) {
  Symbol *f = tok_at(u, name)->id ? tok_at(u, name)->id->sym : NULL;
  if (u->body->async)
    return true;
  return u->body->func && u->body->whole->strict && f &&
         canon(f->type)->kind == TY_FUNC &&
         (canon(f->type)->throws || canon(f->type)->is_async);
}

static void read_aligned(Unit *u, TokIndex t, bool args, Attrs *at) {
  int64_t v = args ? argument(u, t + 1) : 16;
  if (v > 0 && v > at->align)
    at->align = (uint32_t)v;
  if (v <= 0 || !args)
    at->odd_layout = true;
}

// An attribute with arguments in parentheses.
static void read_with_arguments(Unit *u, TokIndex t, Attrs *at) {
  if (attribute_named(u, t, "vector_size")) {
    at->vector_bytes = argument(u, t + 1);
  } else if (attribute_named(u, t, "ext_vector_type")) {
    at->vector_len = (int)argument(u, t + 1);
  } else if (attribute_named(u, t, "mode")) {
    at->mode = mode_name(u, t + 2);
  } else if (attribute_named(u, t, "cleanup") && cleans_explicitly(u, t + 2)) {
    at->cleanup = t + 2;
    edit(u, (Range){ t, skip_balanced(u, t + 1) }, "unused");
  }
}

static void read_one(Unit *u, TokIndex t, Attrs *at) {
  bool args = kind_at(u, t + 1) == P_LPAREN;
  if (attribute_named(u, t, "packed"))
    at->packed = true;
  else if (attribute_named(u, t, "aligned"))
    read_aligned(u, t, args, at);
  else if (attribute_named(u, t, "noreturn"))
    at->noreturn = true;
  else if (attribute_named(u, t, "transparent_union"))
    at->transparent = true;
  else if (attribute_named(u, t, "ms_struct") ||
           attribute_named(u, t, "scalar_storage_order"))
    at->odd_layout = true;
  else if (args)
    read_with_arguments(u, t, at);
}

AttrUse *join_uses(AttrUse *a, AttrUse *b) {
  AttrUse **end = &a;
  while (*end)
    end = &(*end)->next;
  *end = b;
  return a;
}

static void
add_use(Unit *u, TokIndex name, TokIndex from, bool std, Attrs *at) {
  AttrUse *k = NEW(&u->arena, AttrUse);
  bool args = kind_at(u, name + 1) == P_LPAREN;
  *k = (AttrUse){ .name = name,
                  .std = std,
                  .args = { name + 1,
                            args ? skip_balanced(u, name + 1) : name + 1 } };
  if (name > from + 1 && kind_at(u, name - 1) == P_COLONCOLON)
    k->prefix = name - 2;
  at->uses = join_uses(at->uses, k);
}

static void
read_list(Unit *u, TokIndex from, TokIndex to, bool std, Attrs *at) {
  for (TokIndex t = from; t < to; t++) {
    TokenKind k = kind_at(u, t);
    // the prefix of gnu::packed
    if (k == P_COLONCOLON ||
        (k == T_IDENT && kind_at(u, t + 1) == P_COLONCOLON))
      continue;
    if (tok_at(u, t)->id)
      read_one(u, t, at);
    if (tok_at(u, t)->id)
      add_use(u, t, from, std, at);
    if (kind_at(u, t + 1) == P_LPAREN)
      t = skip_balanced(u, t + 1) - 1;
  }
}

// In the generated C, a function that throws does return, and an async function is a descriptor.
void hide_noreturn(Unit *u, Type *t, Range r) {
  for (t = canon(t); t->kind == TY_POINTER || t->kind == TY_ARRAY;)
    t = canon(t->base);
  if (t->kind != TY_FUNC || !(t->throws || t->is_async))
    return;
  for (TokIndex t = r.from; t < r.to; t++)
    if (kind_at(u, t) == K_NORETURN ||
        (kind_at(u, t) == T_IDENT && attribute_named(u, t, "noreturn")))
      edit(u, (Range){ t, t + 1 }, "");
}

static bool at_attribute(Unit *u) {
  if (cur(u) == K_ATTRIBUTE)
    return true;
  return cur(u) == P_LBRACKET && kind_at(u, u->p + 1) == P_LBRACKET;
}

// Skips one attribute. Returns its opening bracket.
static TokIndex skip_one(Unit *u) {
  TokIndex open = cur(u) == K_ATTRIBUTE ? u->p + 1 : u->p;
  if (kind_at(u, open) != P_LPAREN && kind_at(u, open) != P_LBRACKET)
    fail_at(u, open, "expected `((` after `__attribute__`");
  u->p = skip_balanced(u, open);
  return open;
}

bool parse_attributes(Unit *u, Attrs *at) {
  TokIndex from = u->p;
  while (at_attribute(u)) {
    TokIndex open = skip_one(u);
    bool twice =
        kind_at(u, open + 1) == P_LPAREN || kind_at(u, open + 1) == P_LBRACKET;
    read_list(u,
              open + 1 + twice,
              u->p - 1 - twice,
              kind_at(u, open) == P_LBRACKET,
              at);
  }
  if (u->p == from)
    return false;
  if (at->range.from == at->range.to)
    at->range.from = from;
  at->range.to = u->p;
  return true;
}

// The attributes are not read: with nested ones, the time would double at each level.
void skip_attributes(Unit *u) {
  while (at_attribute(u))
    skip_one(u);
}

static Type *mode_type(Unit *u, Type *t, const char *mode) {
  static const struct {
    const char *mode;
    TypeKind s;
    TypeKind uns;
    // clang-format off
  } modes[] = {
    { "QI", TY_SCHAR, TY_UCHAR },
    { "byte", TY_SCHAR, TY_UCHAR },
    { "HI", TY_SHORT, TY_USHORT },
    { "SI", TY_INT, TY_UINT },
    { "DI", TY_LONG, TY_ULONG },
    { "word", TY_LONG, TY_ULONG },
    { "pointer", TY_LONG, TY_ULONG },
    { "unwind_word", TY_LONG, TY_ULONG },
    { "TI", TY_INT128, TY_UINT128 },
    { "HF", TY_FLOAT16, TY_FLOAT16 },
    { "SF", TY_FLOAT, TY_FLOAT },
    { "DF", TY_DOUBLE, TY_DOUBLE },
    { "XF", TY_LDOUBLE, TY_LDOUBLE },
    { "TF", TY_FLOAT128, TY_FLOAT128 },
    { "SD", TY_DEC32, TY_DEC32 },
    { "DD", TY_DEC64, TY_DEC64 },
    { "TD", TY_DEC128, TY_DEC128 },
  };
  // clang-format on
  static const struct {
    const char *mode;
    TypeKind real;
    // clang-format off
  } complexes[] = {
    { "SC", TY_FLOAT },
    { "DC", TY_DOUBLE },
    { "XC", TY_LDOUBLE },
    { "TC", TY_FLOAT128 },
  };
  // clang-format on
  bool uns = type_is_unsigned(u, t);
  // a narrower enum has no other name
  if (canon(t)->kind == TY_ENUM)
    return type_scalar(u, TY_ERROR);
  for (size_t i = 0; i < COUNT(modes); i++) {
    if (strcmp(modes[i].mode, mode) != 0)
      continue;
    TypeKind k = uns ? modes[i].uns : modes[i].s;
    if (u->opt.ilp32 && strcmp(mode, "DI") == 0)
      k = uns ? TY_ULLONG : TY_LLONG;
    return type_qualify(u, type_scalar(u, k), canon(t)->quals);
  }
  for (size_t i = 0; i < COUNT(complexes); i++)
    if (strcmp(complexes[i].mode, mode) == 0)
      return type_new(u, TY_COMPLEX, type_scalar(u, complexes[i].real));
  return type_scalar(u, TY_ERROR);
}

// The vector attribute reaches through pointers, arrays and functions to the type at the bottom.
static Type *vectorize(Unit *u, Type *t, const Attrs *at) {
  Type *c = canon(t);
  if (c->kind == TY_POINTER || c->kind == TY_ARRAY || c->kind == TY_FUNC) {
    Type *r = NEW(&u->arena, Type);
    *r = *c;
    r->canon = r;
    r->unqual = NULL;
    r->base = vectorize(u, c->base, at);
    return r;
  }
  int64_t size = type_size(u, t);
  if (at->vector_len > 0)
    return type_vector(u, t, at->vector_len);
  return type_vector(u,
                     t,
                     size > 0 && at->vector_bytes > 0 ? at->vector_bytes / size
                                                      : -1);
}

Type *apply_attributes(Unit *u, Type *t, const Attrs *at) {
  if (at->mode)
    t = mode_type(u, t, at->mode);
  if (at->vector_bytes || at->vector_len)
    t = vectorize(u, t, at);
  return t;
}
