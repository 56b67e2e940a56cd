// ident.h: names. One Ident for each spelling; keywords and the dialect's words are found by it.
#ifndef FMCC_BASE_IDENT_H
#define FMCC_BASE_IDENT_H

#include "base/dialect-words.h"
#include "base/types.h"

// One Ident for each spelling. sym and tag: its meaning in the scope that is being parsed.
struct Ident {
  const char *name; // NUL-terminated
  uint32_t len;
  uint32_t hash;
  // token kind if the word is a C keyword in this unit, else 0
  uint16_t keyword;
  uint16_t word; // DialectWord, else 0
  // ordinary identifiers: the innermost declaration, or NULL
  Symbol *sym;
  Symbol *tag; // tags of struct, union and enum: the same
};

// The dialect's words. Each is a keyword only in some places: see word_at() in parse.c.
// clang-format off
typedef enum DialectWord {
  W_NONE,
#define WORD(name, text) W_##name,
  DIALECT_WORDS(WORD)
#undef WORD
  W_THUNK,  // only as __fm_thunk: dialect-bodies.c
  W_WITHIN, // only as __fm_within: dialect.c
  W_COUNT
} DialectWord;
// clang-format on
// Added to the word for __fm_run and the like, which are keywords in every place.
enum { WORD_ALWAYS = 0x100 };

typedef struct IdentTable {
  Ident **at;
  size_t cap, len;
} IdentTable;

// ---- ident.c ----
Ident *intern(Unit *u, const char *s, size_t n);
// A name that the unit does not use: base__number, or a longer one.
const char *unused_name(Unit *u, const char *base, int number);
void idents_init(Unit *u); // enters the keywords that this unit's mode has
void idents_free(Unit *u);
const char *word_name(DialectWord w);

// Whether it is a name of the library's macros or of generated code: fm__…
bool is_ours(const Ident *id);

#endif
