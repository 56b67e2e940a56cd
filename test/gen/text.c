// text.c: strings, random numbers, types and variables of the generator.
#include "gen.h"

#include <stdarg.h>

Buf *out;
int indent;

// ---- text ----
static void put(Buf *b, const char *s, size_t n) {
  if (b->len + n + 1 > b->cap) {
    b->cap = (b->len + n + 1) * 2;
    b->at = realloc(b->at, b->cap);
    if (!b->at) abort();
  }
  memcpy(b->at + b->len, s, n);
  b->len += n;
  b->at[b->len] = 0;
}

static char *format(const char *f, va_list ap) {  // never freed: a generator lives for a moment
  char *s = NULL;
  if (vasprintf(&s, f, ap) < 0) abort();
  return s;
}

char *fmt(const char *f, ...) {
  va_list ap;
  va_start(ap, f);
  char *s = format(f, ap);
  va_end(ap);
  return s;
}

void line(const char *f, ...) {
  va_list ap;
  va_start(ap, f);
  char *s = format(f, ap);
  va_end(ap);
  for (int i = 0; i < indent; i++) put(out, "  ", 2);
  put(out, s, strlen(s));
  put(out, "\n", 1);
}

// ---- random numbers (splitmix64) ----
static uint64_t state;
void seed_random(uint64_t seed) { state = (seed ^ seed >> 32) * 0xd6e8feb86659fd93u ^ 0x5bf03635u; }

unsigned rnd(unsigned n) {
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return n ? (unsigned)((z ^ z >> 31) >> 8) % n : 0;
}
bool chance(int percent) { return (int)rnd(100) < percent; }

// ---- types ----
static const char *const names[] = {"_Bool", "char", "s8", "u8", "s16", "u16", "enum E", "int", "u32", "long", "unsigned long", "s64",
  "u64", "float", "double", "struct S", "struct B", "union X", "struct F", "u32 *", "fn", "struct S *", "", "void"};
static const char *const tags[] = {"z", "c", "sb", "ub", "sh", "uh", "e", "i", "u", "l", "ul", "ll", "ull", "f", "d", "S", "B", "X", "F",
  "p", "fn", "sp", "", "v"};
const char *type_name(int t) { return names[t]; }
const char *type_tag(int t) { return tags[t]; }
int int_type(void) { return chance(40) ? T_U : (int)rnd(T_INTS); }
int scalar_type(void) { return chance(15) ? (chance(70) ? T_DBL : T_FLT) : int_type(); }
int value_type(void) { return chance(25) ? T_S + (int)rnd(T_F - T_S + 1) : scalar_type(); }

// ---- effects ----
Effect acc, forbid;
bool can_read(uint64_t bits) { return !(forbid.r & bits); }
bool can_write(uint64_t bits) { return !(forbid.w & bits); }

Iso iso_open(void) {
  Iso i = {acc, forbid, {0, 0}};
  acc = (Effect){0, 0};
  return i;
}

void iso_next(Iso *i) {
  forbid.r |= acc.w;
  forbid.w |= acc.r | acc.w;
  i->total.r |= acc.r;
  i->total.w |= acc.w;
  acc = (Effect){0, 0};
}

void iso_close(Iso *i) {
  iso_next(i);
  forbid = i->forbid;
  acc = (Effect){i->acc.r | i->total.r, i->acc.w | i->total.w};
}

// ---- variables ----
Var vars[4000];
int nvars, scope_depth, first_visible;
static char hidden[64][16];                       // being declared; one inside the value of another
static int nhidden;
static int nbits;

void hide(const char *name) { snprintf(hidden[nhidden++ % 64], sizeof hidden[0], "%s", name); }
void unhide(void) { nhidden--; }

bool visible(const Var *v) {
  if (v < vars + first_visible) return false;
  for (int i = 0; i < nhidden; i++)
    if (strcmp(v->name, hidden[i % 64]) == 0) return false;
  for (const Var *w = v + 1; w < vars + nvars; w++)
    if (strcmp(w->name, v->name) == 0) return false;
  return true;
}

static bool taken(const char *name) {             // in this scope
  for (int i = nvars - 1; i >= 0 && vars[i].scope == scope_depth; i--)
    if (strcmp(vars[i].name, name) == 0) return true;
  return false;
}

Var *add_var(int type, bool can_shadow) {
  static int unique;
  Var v = {.type = type, .scope = scope_depth, .bit = (uint64_t)1 << (nbits++ % 62)};
  snprintf(v.name, sizeof v.name, "%c", 'a' + (int)rnd(14));
  if (!can_shadow || taken(v.name) || !strcmp(v.name, "n")) snprintf(v.name, sizeof v.name, "v%d", ++unique);
  if (nvars == 4000) abort();
  vars[nvars] = v;
  return &vars[nvars++];
}

Var *copy_var(const Var *v) {
  if (nvars == 4000) abort();
  Var w = *v;
  w.scope = scope_depth;
  w.bit = (uint64_t)1 << (nbits++ % 62);
  w.fixed = false;
  vars[nvars] = w;
  return &vars[nvars++];
}

Var *pick_var(bool (*ok)(const Var *)) {
  Var *found = NULL;
  unsigned n = 0;
  for (int i = 0; i < nvars; i++)
    if (ok(&vars[i]) && visible(&vars[i]) && rnd(++n) == 0) found = &vars[i];
  return found;
}

void scope_open(void) { scope_depth++; }

void scope_close(void) {
  while (nvars && vars[nvars - 1].scope == scope_depth) nvars--;
  scope_depth--;
}
