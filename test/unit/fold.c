// Integer constant expressions: what we fold is what the compiler of this test folds; what it may not fold we do not.
#include "front-end.h"

#include <limits.h>

#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Woverflow"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wlogical-not-parentheses"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wpointer-to-int-cast"

struct s { char c; int a[3]; struct { short x, y; } in[2]; };
enum e { ZERO, FIVE = 5, NEGATIVE = -3, TOP = 0xFFFFFFFF };
enum narrow { SMALL = 1 };
static const char before[] = "struct s { char c; int a[3]; struct { short x, y; } in[2]; };"
  "enum e { ZERO, FIVE = 5, NEGATIVE = -3, TOP = 0xFFFFFFFF }; enum narrow { SMALL = 1 }; int v; int f(void);";

static void folds(const char *text, bool known, long long want) {
  Unit *u;
  Node *e = expression(&u, before, text, (TranslateOptions){0});
  char what[300];
  snprintf(what, sizeof what, "%s (%s)", text, known ? "a constant" : "not constant");
  check_int(what, known, (e->flags & NF_CONST) != 0);
  if (known) check_int(what, want, e->val);
  unit_done(u);
}
#define FOLD(...) do { enum { is_constant = sizeof(char[(__VA_ARGS__) ? 1 : 2]) }; (void)is_constant; folds(#__VA_ARGS__, true, (long long)(__VA_ARGS__)); } while (0)
#define NOT(text) folds(text, false, 0)

static void arithmetic(void) {
  FOLD(1 + 2 * 3 - 4 / 2 % 3); FOLD(-7 / 2); FOLD(-7 % 2); FOLD(7 / -2); FOLD(7 % -2); FOLD(7u / 2); FOLD(-7 / 2u); FOLD(-1 % 10u);
  FOLD(4294967295u + 1); FOLD(0u - 1); FOLD(0ul - 1); FOLD(4294967295u * 4294967295u); FOLD(18446744073709551615ul + 2);
  FOLD(2147483647 + 1l); FOLD(-2147483647 - 1); FOLD(-9223372036854775807 - 1); FOLD(~0); FOLD(~0u); FOLD(~0ul); FOLD(-1u); FOLD(- -5);
  FOLD(+'a'); FOLD(!5); FOLD(!0); FOLD(!!7); FOLD(-(char)200); FOLD(-(unsigned char)200); FOLD(~(unsigned short)0);
  FOLD(18446744073709551615ul / 3); FOLD(18446744073709551615ul % 10); FOLD((-9223372036854775807 - 1) / 2);
}

static void shifts(void) {
  FOLD(1 << 10); FOLD(1u << 31); FOLD(1l << 62); FOLD(1ul << 63); FOLD(3u << 31); FOLD(-8 >> 1); FOLD(-1 >> 31); FOLD(-1l >> 63);
  FOLD(0xFFFFFFFFu >> 31); FOLD(0x8000000000000000u >> 63); FOLD((unsigned char)255 << 4); FOLD((char)-1 >> 1); FOLD(1 << 3l);
  FOLD(256 >> 'a' - 'a' + 1);
  NOT("1 << 32"); NOT("1 << -1"); NOT("1l << 64"); NOT("1u >> 32"); NOT("1 << 0xffffffffffffffff");
}

static void comparisons(void) {
  FOLD(-1 < 0); FOLD(-1 < 0u); FOLD(-1 > 0ul); FOLD((unsigned char)-1 > 0); FOLD(-1l < 1u); FOLD(3 >= 3); FOLD(3 <= 2); FOLD(3 != 4);
  FOLD(0x80000000 > 0); FOLD(0x80000000 == -0x80000000); FOLD(-1 == 4294967295u); FOLD(-1l == 4294967295u); FOLD((short)0x8000 < 0);
  FOLD(1 && 2); FOLD(0 && 1); FOLD(0 || 0); FOLD(0 || 5); FOLD(1 ? 2 : 3); FOLD(0 ? 2 : 3u); FOLD(1 ? -1 : 0u); FOLD(0 ? 1 : -1l);
  FOLD(5 & 6); FOLD(5 | 6); FOLD(5 ^ 6); FOLD(-1 & 0xFFu); FOLD(1 < 2 == 2 > 1); FOLD(1 + 2 << 3 & 31 | 64 ^ 1);
  folds("0 && v", true, 0); folds("1 || f()", true, 1);
}

static void casts(void) {
  FOLD((char)300); FOLD((unsigned char)300); FOLD((signed char)200); FOLD((short)70000); FOLD((unsigned short)-1); FOLD((int)4294967295u);
  FOLD((unsigned)-1); FOLD((long)-1); FOLD((unsigned long)-1); FOLD((long)4294967295u); FOLD((long)-1u); FOLD((_Bool)5); FOLD((_Bool)256);
  FOLD((_Bool)0.5); FOLD((int)2.9); FOLD((int)-0 + (int)1e3); FOLD((unsigned char)255.9); FOLD((int)16777217.0f); FOLD((long)9007199254740993.0);
  FOLD((int)0x1.8p2); FOLD((int)1.5L); FOLD((int)2147483647.5); FOLD((enum e)3); FOLD((enum narrow)-1 > 0); FOLD((char)'\377');
  FOLD((unsigned long long)(signed char)-1); FOLD((int)(char)(int)511); FOLD((long long)(int)0xFFFFFFFFFF);
}

static void sizes(void) {
  FOLD(sizeof(int)); FOLD(sizeof(char[10])); FOLD(sizeof(int[2][3])); FOLD(sizeof(struct s)); FOLD(sizeof(struct s *)); FOLD(sizeof 1);
  FOLD(sizeof 'a'); FOLD(sizeof "four"); FOLD(sizeof(1 + 1.0)); FOLD(sizeof((char)1)); FOLD(sizeof(0 ? 1 : 1l)); FOLD(_Alignof(long double));
  FOLD(_Alignof(struct s)); FOLD(sizeof(int) - 5 > 0); FOLD(__builtin_offsetof(struct s, a)); FOLD(__builtin_offsetof(struct s, a[2]));
  FOLD(__builtin_offsetof(struct s, in[1].y)); FOLD(sizeof(((struct s *)0)->a)); FOLD(sizeof(int (*)[3])); FOLD(sizeof(enum e));
  FOLD(sizeof(struct { int n; char t[]; })); FOLD(-sizeof(int)); FOLD(sizeof(sizeof(int))); FOLD(sizeof(char) * 3 / 2);
}

static void others(void) {
  FOLD(FIVE); FOLD(NEGATIVE * 2); FOLD(TOP > 0); FOLD(TOP); FOLD(FIVE << 2 | 1);
  FOLD(__builtin_types_compatible_p(int, int)); FOLD(__builtin_types_compatible_p(int, const int)); FOLD(__builtin_types_compatible_p(int, long));
  FOLD(__builtin_types_compatible_p(int *, const int *)); FOLD(__builtin_types_compatible_p(int[], int[3]));
  FOLD(__builtin_choose_expr(1, 5, "x")); FOLD(__builtin_choose_expr(0, "x", 7)); FOLD(_Generic(1, int: 8, default: 9));
  FOLD(_Generic(1u, int: 8, default: 9)); FOLD(__extension__ 5); FOLD((((6))));
  NOT("v"); NOT("v + 1"); NOT("f()"); NOT("1 / 0"); NOT("1 % 0"); NOT("0 / 0"); NOT("1u / 0u"); NOT("(1, 2)"); NOT("v && 0"); NOT("v = 1");
  NOT("1.5"); NOT("1.5 + 1"); NOT("&v"); NOT("*\"a\""); NOT("(-9223372036854775807 - 1) / -1"); NOT("1 ? v : 2"); NOT("v ? 1 : 1"); NOT("(__int128)1 << 100");
}

int main(void) {
  arithmetic();
  shifts();
  comparisons();
  casts();
  sizes();
  others();
  return result();
}
