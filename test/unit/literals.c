// Numbers, characters and strings: our type and value against those of the compiler that compiles this test.
#include "front-end.h"

#pragma GCC diagnostic ignored "-Wmultichar"
#define NAME(x) _Generic((x), char: "char", int: "int", unsigned: "unsigned int", long: "long", unsigned long: "unsigned long", \
  long long: "long long", unsigned long long: "unsigned long long", float: "float", double: "double", long double: "long double", \
  unsigned char: "unsigned char", unsigned short: "unsigned short", char *: "char *", int *: "int *", unsigned short *: "unsigned short *", \
  unsigned *: "unsigned int *", _Complex double: "_Complex double", _Complex float: "_Complex float", default: "other")

static void literal(const char *text, const char *type, bool integer, long long value, long long size) {
  Unit *u;
  Node *e = expression(&u, "", text, (TranslateOptions){0});
  check_text(text, type, type_text(u, rvalue(u, e)));
  check_int(text, size, type_size(u, e->type));
  check_int(text, integer, (e->flags & NF_CONST) != 0);
  if (integer) check_int(text, value, e->val);
  unit_done(u);
}
#define INTEGER(x) literal(#x, NAME(x), true, (long long)(x), sizeof(x))
#define FLOAT(x) literal(#x, NAME(x), false, 0, sizeof(x))
#define STRING(x) literal(#x, NAME(x), false, 0, sizeof(x))

int main(void) {
  INTEGER(0); INTEGER(1); INTEGER(2147483647); INTEGER(2147483648); INTEGER(4294967295); INTEGER(9223372036854775807);
  INTEGER(0x7fffffff); INTEGER(0x80000000); INTEGER(0xFFFFFFFF); INTEGER(0x100000000); INTEGER(0x7fffffffffffffff);
  INTEGER(0x8000000000000000); INTEGER(0xffffffffffffffff); INTEGER(017); INTEGER(037777777777); INTEGER(040000000000);
  INTEGER(1u); INTEGER(4294967295u); INTEGER(4294967296u); INTEGER(18446744073709551615u); INTEGER(1l); INTEGER(1L);
  INTEGER(1ul); INTEGER(1LU); INTEGER(1ll); INTEGER(1ull); INTEGER(1LLU); INTEGER(0xffffffffL); INTEGER(0b101); INTEGER(0B0);
  INTEGER(0b11111111111111111111111111111111); INTEGER(00); INTEGER(0x8000000000000000ll); INTEGER(01777777777777777777777ll);
  INTEGER('a'); INTEGER('\n'); INTEGER('\0'); INTEGER('\377'); INTEGER('\x80'); INTEGER('\\'); INTEGER('"'); INTEGER('\'');
  INTEGER('ab'); INTEGER('abcd'); INTEGER('\e'); INTEGER('\?'); INTEGER(L'a'); INTEGER(L'\xffff'); INTEGER(u'\u20ac');
  INTEGER(U'\U0001F600'); INTEGER(L'é'); INTEGER(u'é');
  FLOAT(1.0); FLOAT(1.); FLOAT(.1); FLOAT(1e9); FLOAT(1E-9); FLOAT(1.f); FLOAT(1.F); FLOAT(1.l); FLOAT(1.L); FLOAT(0x1p3);
  FLOAT(0x.8p1f); FLOAT(0x1.fp-2L); FLOAT(1e3f); FLOAT(0x1ep1); FLOAT(1.0i); FLOAT(1.0fi); FLOAT(09.5); FLOAT(1e10L);
  STRING(""); STRING("a"); STRING("a" "bc"); STRING("\0"); STRING("\x41" "1"); STRING("\1234"); STRING("é"); STRING("\u00e9");
  STRING("\U0001F600"); STRING(L""); STRING(L"ab"); STRING(L"é€"); STRING(L"a" "é"); STRING("a" L"b"); STRING(u"é\U0001F600");
  STRING(U"é\U0001F600"); STRING(u8"é"); STRING(u8"a" "é"); STRING("\"\\\n"); STRING("\xff\377"); STRING(u"\xffff");
  return result();
}
