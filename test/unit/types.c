// Compatibility, composite types, promotions and the usual arithmetic conversions, against the compiler of this test.
#include "front-end.h"

#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wbool-operation"

// ---- arithmetic: every pair of these ----
enum uns { U0 }; enum neg { N0 = -1 };
static const char enums[] = "enum uns { U0 }; enum neg { N0 = -1 };";
#define NAME(x) _Generic((x), int: "int", unsigned: "unsigned int", long: "long", unsigned long: "unsigned long", \
  long long: "long long", unsigned long long: "unsigned long long", __int128: "__int128", unsigned __int128: "unsigned __int128", \
  _Float16: "_Float16", float: "float", double: "double", long double: "long double", _Float32: "_Float32", _Float64: "_Float64", \
  _Float128: "__float128", _Float32x: "_Float32x", _Float64x: "_Float64x", _Complex float: "_Complex float", \
  _Complex double: "_Complex double", _Complex long double: "_Complex long double", _Complex int: "_Complex int", \
  _Complex _Float32: "_Complex _Float32", _Complex _Float64: "_Complex _Float64", _Complex _Float128: "_Complex __float128", \
  _Complex _Float32x: "_Complex _Float32x", _Complex _Float64x: "_Complex _Float64x", default: "other")
#define INTEGERS(X, a) X(a, _Bool) X(a, char) X(a, signed char) X(a, unsigned char) X(a, short) X(a, unsigned short) X(a, int) \
  X(a, unsigned) X(a, long) X(a, unsigned long) X(a, long long) X(a, unsigned long long) X(a, __int128) X(a, unsigned __int128) \
  X(a, enum uns) X(a, enum neg)
#define FLOATS(X, a) X(a, float) X(a, double) X(a, long double) X(a, _Float32) X(a, _Float64) X(a, _Float128) X(a, _Float32x) X(a, _Float64x)
#define COMPLEXES(X, a) X(a, _Complex float) X(a, _Complex double) X(a, _Complex long double)
#define ALL(X, a) INTEGERS(X, a) FLOATS(X, a) COMPLEXES(X, a)

static void is_type(const char *expr, const char *want) {
  Unit *u;
  Node *e = expression(&u, enums, expr, (TranslateOptions){0});
  check_text(expr, want, type_text(u, rvalue(u, e)));
  unit_done(u);
}
#define SUM(a, b) is_type("(" #a ")0 + (" #b ")0", NAME((a)0 + (b)0));
#define PROMOTED(a, b) is_type("-(" #b ")0", NAME(-(b)0)); is_type("(" #b ")0 << 1l", NAME((b)0 << 1l)); is_type("~(" #b ")0", NAME(~(b)0));
#define CHOICE(a, b) is_type("1 ? (" #a ")0 : (" #b ")0", NAME(1 ? (a)0 : (b)0));

static void arithmetic(void) {
  INTEGERS(PROMOTED, int)
  ALL(SUM, _Bool) ALL(SUM, char) ALL(SUM, unsigned short) ALL(SUM, int) ALL(SUM, unsigned) ALL(SUM, long) ALL(SUM, unsigned long)
  ALL(SUM, long long) ALL(SUM, unsigned long long) ALL(SUM, __int128) ALL(SUM, unsigned __int128) ALL(SUM, enum uns) ALL(SUM, enum neg)
  ALL(SUM, float) ALL(SUM, double) ALL(SUM, long double) ALL(SUM, _Float32) ALL(SUM, _Float64) ALL(SUM, _Float128) ALL(SUM, _Float32x)
  ALL(SUM, _Float64x) ALL(SUM, _Complex float) ALL(SUM, _Complex double) ALL(SUM, _Complex long double)
  ALL(CHOICE, char) ALL(CHOICE, unsigned) ALL(CHOICE, float) ALL(CHOICE, enum uns)
}

// ---- compatibility ----
struct a { int x; }; struct b { int x; };
typedef int number; typedef const int fixed; typedef int three[3]; typedef int fn(int);
static const char before[] = "struct a { int x; }; struct b { int x; }; typedef int number; typedef const int fixed; typedef int three[3];"
  "typedef int fn(int);";

static void compatible(const char *a, const char *b, bool want) {
  char *text, what[300];
  if (asprintf(&text, "%s typedef __typeof__(%s) A; typedef __typeof__(%s) B;"
               "enum { P = __builtin_types_compatible_p(A, B), Q = __builtin_types_compatible_p(B, A) };", before, a, b) < 0) abort();
  Unit *u = parsed(text, (TranslateOptions){0});
  Type *x = symbol(u, "A")->type, *y = symbol(u, "B")->type;
  snprintf(what, sizeof what, "%s and %s", a, b);
  check_int(what, want, symbol(u, "P")->value);
  check_int(what, want, symbol(u, "Q")->value);
  if (!strstr(what, "const int[")) check_int(what, want, type_compatible(u, x, y)); // the builtin drops an array's qualifiers too
  check_int(what, 1, type_compatible(u, x, x) && type_compatible(u, y, y));
  unit_done(u);
  free(text);
}
#define COMPATIBLE(t_, o_) compatible(#t_, #o_, __builtin_types_compatible_p(__typeof__(t_), __typeof__(o_)));
#define AGAINST(X, t_) X(t_, int) X(t_, long) X(t_, long long) X(t_, char) X(t_, signed char) X(t_, number) X(t_, fixed) X(t_, volatile int) \
  X(t_, struct a) X(t_, struct b) X(t_, int *) X(t_, const int *) X(t_, int *const) X(t_, fixed *) X(t_, number *) X(t_, void *) X(t_, int **) \
  X(t_, int *const *) X(t_, three) X(t_, int[3]) X(t_, int[]) X(t_, int[4]) X(t_, const int[3]) X(t_, int (*)[3]) X(t_, int (*)[]) X(t_, three *) \
  X(t_, fn) X(t_, int(int)) X(t_, int(number)) X(t_, int(const int)) X(t_, int(long)) X(t_, int(void)) X(t_, int()) X(t_, int(int, ...)) \
  X(t_, int(char)) X(t_, void(int)) X(t_, int (*)(int)) X(t_, fn *) X(t_, int(int[3])) X(t_, int(int *)) X(t_, int(fn)) X(t_, int(fn *)) \
  X(t_, int[2][3]) X(t_, int[][3]) X(t_, three[2]) X(t_, int[2][4]) X(t_, _Complex float) X(t_, _Complex double) X(t_, float) X(t_, double)

static void compatibility(void) {
  AGAINST(COMPATIBLE, int) AGAINST(COMPATIBLE, long) AGAINST(COMPATIBLE, char) AGAINST(COMPATIBLE, fixed) AGAINST(COMPATIBLE, struct a)
  AGAINST(COMPATIBLE, int *) AGAINST(COMPATIBLE, const int *) AGAINST(COMPATIBLE, int *const) AGAINST(COMPATIBLE, int[]) AGAINST(COMPATIBLE, int[3])
  AGAINST(COMPATIBLE, int (*)[3]) AGAINST(COMPATIBLE, int (*)[]) AGAINST(COMPATIBLE, int(int)) AGAINST(COMPATIBLE, int()) AGAINST(COMPATIBLE, int(void))
  AGAINST(COMPATIBLE, int(int, ...)) AGAINST(COMPATIBLE, int(int *)) AGAINST(COMPATIBLE, int(fn *)) AGAINST(COMPATIBLE, fn *)
  AGAINST(COMPATIBLE, int[2][3]) AGAINST(COMPATIBLE, int[][3]) AGAINST(COMPATIBLE, _Complex float) AGAINST(COMPATIBLE, int *const *)
}

// ---- redeclarations add up ----
static void composite(const char *text, const char *want) {
  Unit *u = parsed(text, (TranslateOptions){0});
  check_text(text, want, type_text(u, symbol(u, "x")->type));
  unit_done(u);
}

static void composites(void) {
  composite("extern int x[]; extern int x[4];", "int[4]");
  composite("extern int x[4]; extern int x[];", "int[4]");
  composite("int x(); int x(int, char *);", "int(int, char *)");
  composite("int x(int, char *); int x();", "int(int, char *)");
  composite("extern int (*x)[]; extern int (*x)[4];", "int (*)[4]");
  composite("extern int (*x)[4]; extern int (*x)[];", "int (*)[4]");
  composite("extern int (*x)(); extern int (*x)(int);", "int (*)(int)");
  composite("extern int x[][3]; extern int x[2][3];", "int[2][3]");
  composite("int x[] = {1, 2, 3};", "int[3]");
  composite("extern int x[]; int x[] = {1, 2};", "int[2]");
}

// ---- pointers in ?: and what else has a type of its own ----
static const char values[] = "int i, a[3], m[2][3]; const int ci; int *p; const int *cp; volatile int *vp; void *v; const void *cv; char c; short s;"
  "unsigned u; long l; float f; struct s { int x; const int y; int b : 3; unsigned long w : 40; } st; const struct s cs; struct s *sp; int fn(int);"
  "int (*fp)(int); int (*open)[], (*shut)[4]; _Bool b; enum e { E } e; const char *names[2];";

static void typed(const char *expr, const char *want) {
  Unit *u;
  Node *e = expression(&u, values, expr, (TranslateOptions){0});
  check_text(expr, want, type_text(u, e->type));
  unit_done(u);
}

static void expressions(void) {
  typed("1 ? p : cp", "const int *"); typed("1 ? cp : vp", "const volatile int *"); typed("1 ? p : v", "void *"); typed("1 ? cp : v", "const void *");
  typed("1 ? p : 0", "int *"); typed("1 ? 0 : cp", "const int *"); typed("1 ? (void *)0 : p", "int *"); typed("1 ? cv : p", "const void *");
  typed("1 ? fn : 0", "int (*)(int)"); typed("1 ? fn : fp", "int (*)(int)"); typed("1 ? open : shut", "int (*)[4]"); typed("1 ? st : st", "struct s");
  typed("p ?: 0", "int *"); typed("1 ? a : m[0]", "int *"); typed("b ? c : s", "int"); typed("1 ? (void)0 : (void)1", "void");
  typed("&a", "int (*)[3]"); typed("&a[1]", "int *"); typed("*m", "int[3]"); typed("m[1]", "int[3]"); typed("&m[1]", "int (*)[3]"); typed("*fp", "int(int)");
  typed("&fn", "int (*)(int)"); typed("*fn", "int(int)"); typed("fn(1)", "int"); typed("(*fp)(1)", "int"); typed("&*p", "int *"); typed("&ci", "const int *");
  typed("st.x", "int"); typed("cs.x", "const int"); typed("st.y", "const int"); typed("sp->y", "const int"); typed("(&cs)->x", "const int"); typed("&st.x", "int *");
  typed("p - a", "long"); typed("p + 1", "int *"); typed("1 + p", "int *"); typed("p[1]", "int"); typed("1[p]", "int"); typed("names[1][0]", "const char");
  typed("a + 1", "int *"); typed("*(m + 1)", "int[3]"); typed("sizeof i", "unsigned long"); typed("i < l", "int"); typed("!f", "int"); typed("i && f", "int");
  typed("c++", "char"); typed("++s", "short"); typed("c += 1", "char"); typed("i = l", "int"); typed("c, s", "short"); typed("(c)", "char"); typed("-c", "int");
  typed("+s", "int"); typed("~c", "int"); typed("-u", "unsigned int"); typed("-f", "float"); typed("c + f", "float"); typed("s << l", "int"); typed("u >> l", "unsigned int");
  typed("(const int)i", "int"); typed("(char)i", "char"); typed("\"ab\"", "char[3]"); typed("&\"ab\"", "char (*)[3]"); typed("+st.b", "int"); typed("e", "enum e"); typed("E", "int");
  typed("-b", "int"); typed("+e", "unsigned int"); typed("(struct s){0}", "struct s"); typed("(int[]){1, 2}", "int[2]"); typed("({ i; l; })", "long"); typed("({ ; })", "void");
  typed("({ a; })", "int *"); typed("_Generic(i, int: cp, default: 0)", "const int *"); typed("__builtin_offsetof(struct s, x)", "unsigned long");
}

int main(void) {
  arithmetic();
  compatibility();
  composites();
  expressions();
  return result();
}
