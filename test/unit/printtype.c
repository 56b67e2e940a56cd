// Types as text: declarators of every shape, parsed and printed, and read again to the same type.
#include "front-end.h"

static bool wordy(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

static const char *squeezed(Unit *u, const char *text) { // only the blanks that matter
  char *s = arena_text(&u->arena, text, strlen(text)), *to = s;
  for (const char *c = s; *c; c++)
    if (*c != ' ' || (to > s && wordy(to[-1]) && wordy(c[1]))) *to++ = *c;
  *to = 0;
  return s;
}

static void printed(const char *declaration, const char *want) {
  char *text;
  if (asprintf(&text, "typedef unsigned long size; struct s { int a; }; enum e { E }; typedef int fn(int); typedef int row[3]; %s;", declaration) < 0) abort();
  Unit *u = parsed(text, (TranslateOptions){0});
  Type *t = symbol(u, "x")->type;
  check_text(declaration, squeezed(u, want), squeezed(u, type_text(u, t)));
  Buf again = {0};                                // printed with a name it declares the same type
  Printer p = {.u = u, .out = &again, .line = UINT32_MAX, .pragma = SIZE_MAX, .spell = true};
  buf_puts(&again, text);
  buf_puts(&again, " extern ");
  print_type(&p, t, "y", 0);
  buf_puts(&again, "; enum { SAME = __builtin_types_compatible_p(__typeof__(x), __typeof__(y)) };");
  Unit *v = parsed(again.data, (TranslateOptions){0});
  check_int(again.data, 1, symbol(v, "SAME")->value);
  unit_done(v);
  unit_done(u);
  buf_free(&again);
  free(text);
}

int main(void) {
  printed("int x", "int");
  printed("signed long int long x", "long long");
  printed("char unsigned const x", "const unsigned char");
  printed("short unsigned x", "unsigned short");
  printed("long double x", "long double");
  printed("_Complex float x", "_Complex float");
  printed("unsigned __int128 x", "unsigned __int128");
  printed("_Bool x", "_Bool");
  printed("int *x", "int *");
  printed("int *const *volatile x", "int *const *volatile");
  printed("const int *const x", "const int *const");
  printed("char *restrict x", "char *__restrict");
  printed("int x[3]", "int[3]");
  printed("int x[2][3]", "int[2][3]");
  printed("extern int x[]", "int[]");
  printed("int *x[4]", "int *[4]");
  printed("int (*x)[4]", "int (*)[4]");
  printed("int (*x[2])[4]", "int (*[2])[4]");
  printed("int (*(*x)[2])[4]", "int (*(*)[2])[4]");
  printed("int x(void)", "int(void)");
  printed("int x()", "int()");
  printed("int *x(int, char *)", "int *(int, char *)");
  printed("int x(int, ...)", "int(int, ...)");
  printed("int (*x)(int a, char *b)", "int (*)(int, char *)");
  printed("int (*x(char))(int)", "int (*(char))(int)");
  printed("void (*x(int, void (*)(int)))(int)", "void (*(int, void (*)(int)))(int)");
  printed("int (*(*x)(void))[3]", "int (*(*)(void))[3]");
  printed("int (*const x[2])(int)", "int (*const[2])(int)");
  printed("int x(int a[5], int f(int))", "int(int *, int (*)(int))");
  printed("int x(int a[const 5])", "int(int *const)");
  printed("size x", "size");
  printed("const size *x[2]", "const size *[2]");
  printed("struct s *x", "struct s *");
  printed("const struct s x", "const struct s");
  printed("enum e x", "enum e");
  printed("fn *x", "fn *");
  printed("row *x", "row *");
  printed("row x[2]", "row[2]");
  printed("const row x", "const row");
  printed("__typeof__(int *) x", "int *");
  printed("__typeof__(row) *x", "__typeof__(int[3]) *");
  printed("__typeof__(fn) *x", "__typeof__(int(int)) *");
  printed("volatile _Atomic int x", "volatile _Atomic int");
  printed("_Atomic(int *) x", "int *_Atomic");
  printed("int __attribute__((vector_size(16))) x", "__attribute__((vector_size(16))) int");
  return result();
}
