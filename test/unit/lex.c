// Tokens: where they stand, what flags they carry, which file and line the markers give them; pragmas between them.
#include "front-end.h"

static const TranslateOptions gcc, clang = {.clang = true}, strict = {.no_gnu_keywords = true};

typedef struct Want { int kind; const char *text; uint32_t line; int flags; } Want;

static void tokens(const char *text, TranslateOptions opt, const Want *want, size_t n) {
  Unit *u = unit_of(text, opt);
  char what[600];
  check_int(text, (long long)n + 1, (long long)u->ntoks);
  for (size_t i = 0; i < n && i + 1 < u->ntoks; i++) {
    size_t len;
    const char *s = tok_text(u, (TokIndex)i, &len);
    char *copy = arena_text(&u->arena, s, len);
    snprintf(what, sizeof what, "%.500s: token %zu", text, i);
    check_text(what, want[i].text, copy);
    check_int(what, want[i].kind, u->toks[i].kind);
    if (want[i].line) check_int(what, want[i].line, u->toks[i].line);
    if (want[i].flags >= 0) check_int(what, want[i].flags, u->toks[i].flags & ~TF_ALT);
    check_int(what, 0, memcmp(u->text + u->toks[i].pos, want[i].text, len));
    check_int(what, 1, tok_is(u, (TokIndex)i, want[i].text));
    check_int(what, 0, tok_is(u, (TokIndex)i, "something else"));
  }
  check_int(text, T_EOF, u->toks[u->ntoks - 1].kind);
  check_int(text, 0, u->errors);
  unit_done(u);
}
#define TOKENS(text, opt, ...) tokens(text, opt, (const Want[]){__VA_ARGS__}, sizeof((const Want[]){__VA_ARGS__}) / sizeof(Want))

// Just the texts, apart by blanks.
static void split(const char *text, TranslateOptions opt, const char *want) {
  Unit *u = unit_of(text, opt);
  Buf b = {0};
  for (size_t i = 0; i + 1 < u->ntoks; i++) {
    if (i) buf_putc(&b, ' ');
    buf_add(&b, u->text + u->toks[i].pos, u->toks[i].len);
  }
  check_text(text, want, b.data ? b.data : "");
  buf_free(&b);
  unit_done(u);
}

static void positions(void) {
  TOKENS("int x;\n  x =\t1 ;", gcc, {K_INT, "int", 1, TF_BOL}, {T_IDENT, "x", 1, TF_SPACE}, {P_SEMI, ";", 1, 0},
         {T_IDENT, "x", 2, TF_BOL | TF_SPACE}, {P_ASSIGN, "=", 2, TF_SPACE}, {T_NUMBER, "1", 2, TF_SPACE}, {P_SEMI, ";", 2, TF_SPACE});
  TOKENS("a/* \n */b // c\nd", gcc, {T_IDENT, "a", 1, TF_BOL}, {T_IDENT, "b", 2, TF_SPACE}, {T_IDENT, "d", 3, TF_BOL | TF_SPACE});
  TOKENS("a\\\nb", gcc, {T_IDENT, "a", 1, TF_BOL}, {T_IDENT, "b", 2, TF_SPACE});
  TOKENS("# 10 \"f.h\" 3\na\n\nb\n# 5 \"test.c\" 2\nc", gcc, {T_IDENT, "a", 10, TF_BOL | TF_SPACE | TF_SYSTEM},
         {T_IDENT, "b", 12, TF_BOL | TF_SPACE | TF_SYSTEM}, {T_IDENT, "c", 5, TF_BOL | TF_SPACE});
  TOKENS("#line 7\na\n#line 9 \"x\"\nb", gcc, {T_IDENT, "a", 7, -1}, {T_IDENT, "b", 9, -1});
}

static void files(void) {
  Unit *u = unit_of("a\n# 1 \"one \\\"x\\\\y\\\".h\" 1 3 4\nb\n# 2 \"test.c\" 2\nc\n# 1 \"one \\\"x\\\\y\\\".h\"\nd", gcc);
  check_text("files", "test.c", u->files[u->toks[0].file].name);
  check_text("files", "one \"x\\y\".h", u->files[u->toks[1].file].name);
  check_int("the same file has one number", u->toks[1].file, u->toks[3].file);
  check_int("system", TF_SYSTEM, u->toks[1].flags & TF_SYSTEM);
  check_int("not system", 0, (u->toks[2].flags | u->toks[3].flags) & TF_SYSTEM);
  check_int("files", 2, (long long)u->nfiles);
  unit_done(u);
}

static void punctuators(void) {
  split("a+++b---c", gcc, "a ++ + b -- - c");
  split("a<<=b>>=c<<d>>e<=f>=g", gcc, "a <<= b >>= c << d >> e <= f >= g");
  split("x->y...z..w.v", gcc, "x -> y ... z . . w . v");
  split("a&&b&c||d|e&=f|=g^=h%=i*=j/=k+=l-=m!=n==o", gcc, "a && b & c || d | e &= f |= g ^= h %= i *= j /= k += l -= m != n == o");
  split("a<:1:>=<%b%>;%:%:", gcc, "a <: 1 :> = <% b %> ; %: %:");
  split("x?:y::z", gcc, "x ? : y :: z");
  TOKENS("<:<%:>%>", gcc, {P_LBRACKET, "<:", 1, -1}, {P_LBRACE, "<%", 1, -1}, {P_RBRACKET, ":>", 1, -1}, {P_RBRACE, "%>", 1, -1});
  TOKENS("@`\\", gcc, {T_OTHER, "@", 1, -1}, {T_OTHER, "`", 1, -1}, {T_OTHER, "\\", 1, -1});
}

static void numbers(void) {
  split("1.5e+3f-2 0x1p-3.4", gcc, "1.5e+3f - 2 0x1p-3.4");
  split("0xe+1 1e+1", gcc, "0xe+1 1e+1");
  split(".5.5 1..2 a.5", gcc, ".5.5 1..2 a .5");
  split("1'000'000 1'a", gcc, "1'000'000 1'a");
  split("12ull+0b11 1_000 1$", gcc, "12ull + 0b11 1_000 1$");
}

static void literals(void) {
  TOKENS("L\"a\" u'b' U\"c\" u8\"d\" \"e\\\"f\" '\\''", gcc, {T_STRING, "L\"a\"", 1, -1}, {T_CHAR, "u'b'", 1, -1},
         {T_STRING, "U\"c\"", 1, -1}, {T_STRING, "u8\"d\"", 1, -1}, {T_STRING, "\"e\\\"f\"", 1, -1}, {T_CHAR, "'\\''", 1, -1});
  TOKENS("L u8 U8\"x\" Lx\"y\"", gcc, {T_IDENT, "L", 1, -1}, {T_IDENT, "u8", 1, -1}, {T_IDENT, "U8", 1, -1},
         {T_STRING, "\"x\"", 1, -1}, {T_IDENT, "Lx", 1, -1}, {T_STRING, "\"y\"", 1, -1});
  TOKENS("R\"x(a)\"\n)x\" b", gcc, {T_STRING, "R\"x(a)\"\n)x\"", 1, -1}, {T_IDENT, "b", 2, TF_SPACE});
  TOKENS("uR\"(a\\)\" LR\"()\"", gcc, {T_STRING, "uR\"(a\\)\"", 1, -1}, {T_STRING, "LR\"()\"", 1, -1});
  TOKENS("R\"(a)\"", clang, {T_IDENT, "R", 1, -1}, {T_STRING, "\"(a)\"", 1, -1});
  TOKENS("R\"(a)\"", strict, {T_IDENT, "R", 1, -1}, {T_STRING, "\"(a)\"", 1, -1});
}

static void words(void) {
  TOKENS("\\u00e9x é$ __int", gcc, {T_IDENT, "\\u00e9x", 1, -1}, {T_IDENT, "é$", 1, -1}, {T_IDENT, "__int", 1, -1});
  TOKENS("asm typeof inline __asm__ __typeof__", gcc, {K_ASM, "asm", 1, -1}, {K_TYPEOF, "typeof", 1, -1}, {K_INLINE, "inline", 1, -1},
         {K_ASM, "__asm__", 1, -1}, {K_TYPEOF, "__typeof__", 1, -1});
  TOKENS("asm typeof __asm__", strict, {T_IDENT, "asm", 1, -1}, {T_IDENT, "typeof", 1, -1}, {K_ASM, "__asm__", 1, -1});
  TOKENS("nullptr constexpr bool static_assert thread_local typeof_unqual", gcc, {T_IDENT, "nullptr", 1, -1},
         {T_IDENT, "constexpr", 1, -1}, {T_IDENT, "bool", 1, -1}, {T_IDENT, "static_assert", 1, -1},
         {T_IDENT, "thread_local", 1, -1}, {T_IDENT, "typeof_unqual", 1, -1});
  Unit *u = unit_of("abc abc ab abcd", gcc);
  check_int("one Ident for one spelling", 1, u->toks[0].id == u->toks[1].id);
  check_int("another for another", 0, u->toks[0].id == u->toks[2].id || u->toks[0].id == u->toks[3].id);
  unit_done(u);
}

static void pragmas(void) {
  Unit *u = unit_of("a\n#pragma one\nb c\n  # pragma  two\n# 20 \"test.c\"\n#define X 1\nd", gcc);
  check_int("pragmas", 3, (long long)u->npragmas);
  check_int("before b", 1, u->pragmas[0].before);
  check_int("its line", 2, u->pragmas[0].line);
  check_int("its length", 11, u->pragmas[0].len);
  check_int("before d", 3, u->pragmas[1].before);
  check_int("its line", 4, u->pragmas[1].line);
  check_int("after a marker", 20, u->pragmas[2].line);
  check_int("d's line", 21, u->toks[3].line);
  check_int("no dialect", 0, u->dialect);
  check_int("no token is in the dialect", 1, u->dialect_from >= u->ntoks);
  unit_done(u);
  u = unit_of("yield\n#pragma fermata\nyield\n#pragma fermata\nyield", gcc);
  check_int("dialect", 1, u->dialect);
  check_int("from the first", 1, u->dialect_from);
  unit_done(u);
  check_int("uses", 1, uses_dialect("int x;\n # pragma fermata auto_yield off", 38));
  check_int("a comment is none", 0, uses_dialect("// #pragma fermata\n\"#pragma fermata\"", 37));
  check_int("another word", 0, uses_dialect("#pragma fermatas", 16));
}

int main(void) {
  positions();
  files();
  punctuators();
  numbers();
  literals();
  words();
  pragmas();
  return result();
}
