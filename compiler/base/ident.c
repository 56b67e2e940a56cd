// ident.c: interned names and the tables of keywords. In: spellings. Out: one Ident each, with the
// keyword it is in this unit's mode and the dialect's word it may be.
#include "fmcc.h"

#include <stdlib.h>

static const struct {
  const char *name;
  TokenKind kind;
} keywords[] = {
  { "auto", K_AUTO },
  { "break", K_BREAK },
  { "case", K_CASE },
  { "char", K_CHAR },
  { "const", K_CONST },
  { "__const", K_CONST },
  { "__const__", K_CONST },
  { "continue", K_CONTINUE },
  { "default", K_DEFAULT },
  { "do", K_DO },
  { "double", K_DOUBLE },
  { "else", K_ELSE },
  { "enum", K_ENUM },
  { "extern", K_EXTERN },
  { "float", K_FLOAT },
  { "for", K_FOR },
  { "goto", K_GOTO },
  { "if", K_IF },
  { "inline", K_INLINE },
  { "__inline", K_INLINE },
  { "__inline__", K_INLINE },
  { "int", K_INT },
  { "long", K_LONG },
  { "register", K_REGISTER },
  { "restrict", K_RESTRICT },
  { "__restrict", K_RESTRICT },
  { "__restrict__", K_RESTRICT },
  { "return", K_RETURN },
  { "short", K_SHORT },
  { "signed", K_SIGNED },
  { "__signed", K_SIGNED },
  { "__signed__", K_SIGNED },
  { "sizeof", K_SIZEOF },
  { "static", K_STATIC },
  { "struct", K_STRUCT },
  { "switch", K_SWITCH },
  { "typedef", K_TYPEDEF },
  { "union", K_UNION },
  { "unsigned", K_UNSIGNED },
  { "void", K_VOID },
  { "volatile", K_VOLATILE },
  { "__volatile", K_VOLATILE },
  { "__volatile__", K_VOLATILE },
  { "while", K_WHILE },
  { "_Alignas", K_ALIGNAS },
  { "_Alignof", K_ALIGNOF },
  { "__alignof", K_ALIGNOF },
  { "__alignof__", K_ALIGNOF },
  { "_Atomic", K_ATOMIC },
  { "_Bool", K_BOOL },
  { "_Complex", K_COMPLEX },
  { "__complex", K_COMPLEX },
  { "__complex__", K_COMPLEX },
  { "_Imaginary", K_IMAGINARY },
  { "_Generic", K_GENERIC },
  { "_Noreturn", K_NORETURN },
  { "_Static_assert", K_STATIC_ASSERT },
  { "_Thread_local", K_THREAD_LOCAL },
  { "__thread", K_THREAD_LOCAL },
  { "asm", K_ASM },
  { "__asm", K_ASM },
  { "__asm__", K_ASM },
  { "typeof", K_TYPEOF },
  { "__typeof", K_TYPEOF },
  { "__typeof__", K_TYPEOF },
  { "__attribute", K_ATTRIBUTE },
  { "__attribute__", K_ATTRIBUTE },
  { "__declspec", K_ATTRIBUTE },
  { "__extension__", K_EXTENSION },
  { "__label__", K_LABEL },
  { "__auto_type", K_AUTO_TYPE },
  { "__int128", K_INT128 },
  { "__real", K_REAL },
  { "__real__", K_REAL },
  { "__imag", K_IMAG },
  { "__imag__", K_IMAG },
  { "_Nonnull", K_NULLABILITY },
  { "_Nullable", K_NULLABILITY },
  { "_Null_unspecified", K_NULLABILITY },
  { "__seg_fs", K_ADDRSPACE },
  { "__seg_gs", K_ADDRSPACE },
  { "_BitInt", K_BITINT },
  { "_ExtInt", K_BITINT },
  { "_Float16", K_FLOAT16 },
  { "_Float32", K_FLOAT32 },
  { "_Float64", K_FLOAT64 },
  { "_Float128", K_FLOAT128 },
  { "__float128", K_FLOAT128 },
  { "_Float32x", K_FLOAT32X },
  { "_Float64x", K_FLOAT64X },
  { "__float80", K_FLOAT80 },
  { "__bf16", K_BF16 },
  { "_Decimal32", K_DEC32 },
  { "_Decimal64", K_DEC64 },
  { "_Decimal128", K_DEC128 },
  { "__builtin_va_arg", K_VA_ARG },
  { "__builtin_offsetof", K_OFFSETOF },
  { "__builtin_types_compatible_p", K_TYPES_COMPATIBLE },
  { "__builtin_choose_expr", K_CHOOSE_EXPR },
  { "__builtin_tgmath", K_TGMATH },
  { "__builtin_convertvector", K_CONVERTVECTOR },
  { "__builtin_bit_cast", K_BIT_CAST },
  { "__builtin_has_attribute", K_HAS_ATTRIBUTE },
};

// Words that are keywords of one compiler only. For the other they are ordinary names, often
// typedefs in its headers.
// clang-format off
static const char *const gcc_only[] = {
  "_Float32",
  "_Float64",
  "_Float128",
  "_Float32x",
  "_Float64x",
  "__float80",
  "__builtin_tgmath",
  "__builtin_has_attribute",
  "__seg_fs",
  "__seg_gs",
  "_Decimal32",
  "_Decimal64",
  "_Decimal128",
  NULL,
};
// clang-format on
// clang-format off
static const char *const clang_only[] = {
  "_Nonnull",
  "_Nullable",
  "_Null_unspecified",
  "_BitInt",
  "_ExtInt",
  "__builtin_bit_cast",
  "__bf16",
  NULL,
};
// clang-format on
static const char *const gnu_only[] = { "asm", "typeof", NULL };

#define WORD(name, text) [W_##name] = text,
// clang-format off
static const char *const words[W_COUNT] = {
  DIALECT_WORDS(WORD)
  [W_THUNK] = "thunk",
  [W_WITHIN] = "within",
};
// clang-format on
#undef WORD

static uint32_t hash_text(const char *s, size_t n) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < n; i++)
    h = (h ^ (unsigned char)s[i]) * 16777619u;
  return h;
}

static void idents_grow(IdentTable *t) {
  size_t cap = t->cap ? t->cap * 2 : 4096;
  Ident **at = xmalloc(cap * sizeof *at);
  memset(at, 0, cap * sizeof *at);
  for (size_t i = 0; i < t->cap; i++) {
    if (!t->at[i])
      continue;
    size_t j = t->at[i]->hash & (cap - 1);
    while (at[j])
      j = (j + 1) & (cap - 1);
    at[j] = t->at[i];
  }
  free(t->at);
  t->at = at;
  t->cap = cap;
}

// The index of the name in the table, or the index where it would be.
static size_t place_of(const IdentTable *t, const char *s, size_t n) {
  uint32_t h = hash_text(s, n);
  size_t i = h & (t->cap - 1);
  for (; t->at[i]; i = (i + 1) & (t->cap - 1))
    if (t->at[i]->hash == h && t->at[i]->len == n &&
        memcmp(t->at[i]->name, s, n) == 0)
      break;
  return i;
}

Ident *intern(Unit *u, const char *s, size_t n) {
  IdentTable *t = &u->idents;
  if (t->len * 2 >= t->cap)
    idents_grow(t);
  size_t i = place_of(t, s, n);
  if (t->at[i])
    return t->at[i];
  Ident *id = NEW(&u->arena, Ident);
  *id = (Ident){
    .name = arena_text(&u->arena, s, n),
    .len = (uint32_t)n,
    .hash = hash_text(s, n),
  };
  t->len++;
  return t->at[i] = id;
}

const char *unused_name(Unit *u, const char *base, int number) {
  const char *name = arena_printf(&u->arena, "%s__%d", base, number);
  while (u->idents.at[place_of(&u->idents, name, strlen(name))])
    name = arena_printf(&u->arena, "%s_", name);
  return name;
}

static bool in_list(const char *const *list, const char *name) {
  for (; *list; list++)
    if (strcmp(*list, name) == 0)
      return true;
  return false;
}

static bool keyword_here(Unit *u, const char *name) {
  if (in_list(u->opt.clang ? gcc_only : clang_only, name))
    return false;
  return !(u->opt.no_gnu_keywords && in_list(gnu_only, name));
}

void idents_init(Unit *u) {
  for (size_t i = 0; i < COUNT(keywords); i++)
    if (keyword_here(u, keywords[i].name))
      intern(u, keywords[i].name, strlen(keywords[i].name))->keyword =
          (uint16_t)keywords[i].kind;
  for (int w = 1; w < W_COUNT; w++) {
    char always[32];
    if (w != W_THUNK && w != W_WITHIN)
      intern(u, words[w], strlen(words[w]))->word = (uint16_t)w;
    int n = snprintf(always, sizeof always, "__fm_%s", words[w]);
    intern(u, always, (size_t)n)->word = (uint16_t)(w | WORD_ALWAYS);
  }
}

void idents_free(Unit *u) {
  free(u->idents.at);
  u->idents = (IdentTable){ 0 };
}

const char *word_name(DialectWord w) {
  return words[w];
}

bool is_ours(const Ident *id) {
  return strncmp(id->name, "fm__", 4) == 0;
}
