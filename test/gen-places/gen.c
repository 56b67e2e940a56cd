// gen.c SEED [FUNCTIONS]: prints a program in which random expressions of every operator stand in every place where C or the dialect
// takes one: values of returns, initialisers, arguments, conditions, subscripts, statement expressions, throws, arms, jobs …
// With -DPLAIN the same text is plain C. Both must print the same. Each variable is written at most once in an expression, and read
// only where a sequence point lies between; so the order of evaluation does not matter. All arithmetic is unsigned, or of 0 and 1.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- text ----
enum { COMMA, ASSIGN, COND, OROR, ANDAND, OR, XOR, AND, EQ, LT, SHIFT, ADD, MUL, CAST, UNARY, POSTFIX };
typedef struct Text { char *s; int level; } Text;  // how tightly it binds

static uint64_t state;
static unsigned rnd(unsigned n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % n;
}

static Text text(int level, const char *fmt, ...) { // the program is small: nothing is freed
  va_list ap;
  char *s = NULL;
  va_start(ap, fmt);
  if (vasprintf(&s, fmt, ap) < 0) exit(1);
  va_end(ap);
  return (Text){s, level};
}

static char *at(Text t, int least) {               // with the parentheses that it needs there, and some that it does not
  return t.level < least || rnd(12) == 0 ? text(POSTFIX, "(%s)", t.s).s : t.s;
}

// ---- variables ----
enum { LOCALS = 10, GLOBALS = 6, STRUCTS = 4, MOST = 64 };
typedef struct Env { const char *readable[MOST]; int n; } Env;

static int fresh, fresh_struct;                    // those with a lower number have been written in this function

static const char *writable(void) {                // NULL: none is left
  if (fresh >= LOCALS + GLOBALS) return NULL;
  int k = fresh++;
  bool global = k % 2 && k / 2 < GLOBALS;
  return text(POSTFIX, global ? "w%d" : "v%d", k < 2 * GLOBALS ? k / 2 : k - GLOBALS).s;
}

static void remember(Env *e, const char *name) {
  if (name && e->n < MOST) e->readable[e->n++] = name;
}

static Env begin(void) { return (Env){{"a", "b", "g0", "g1", "x", "y"}, 6}; }

// ---- expressions ----
static Text expr(Env *e, int depth);
static Text structure(Env *e, int depth);

static Text leaf(Env *e) {
  switch (rnd(6)) {
  case 0: return text(POSTFIX, "%uu", rnd(9));
  case 1: return text(POSTFIX, "arr[%u]", rnd(4));
  case 2: return text(POSTFIX, "st.more");
  case 3: return text(POSTFIX, "p->code");
  default: return text(POSTFIX, "%s", e->readable[rnd((unsigned)e->n)]);
  }
}

static Text binary(Env *e, int depth) {
  static const struct { const char *op; int level; } ops[] = {
    {"|", OR}, {"^", XOR}, {"&", AND}, {"==", EQ}, {"!=", EQ}, {"<", LT}, {">", LT}, {"<=", LT}, {">=", LT}, {"+", ADD}, {"-", ADD}, {"*", MUL}};
  unsigned k = rnd(16);
  Text l = expr(e, depth - 1), r = expr(e, depth - 1);
  if (k == 12) return text(SHIFT, "%s << (%s & 31u)", at(text(CAST, "(unsigned)%s", at(l, CAST)), SHIFT), at(r, AND));
  if (k == 13) return text(SHIFT, "%s >> (%s & 31u)", at(text(CAST, "(unsigned)%s", at(l, CAST)), SHIFT), at(r, AND));
  if (k == 14) return text(MUL, "%s / (%s | 1u)", at(l, MUL), at(r, OR));
  if (k == 15) return text(MUL, "%s %% (%s | 1u)", at(l, MUL), at(r, OR));
  return text(ops[k].level, "%s %s %s", at(l, ops[k].level), ops[k].op, at(r, ops[k].level + 1));
}

static Text assignment(Env *e, int depth) {        // what it writes is read only behind a sequence point: see then()
  static const char *const ops[] = {"=", "+=", "-=", "*=", "&=", "|=", "^="};
  Text r = expr(e, depth - 1);
  const char *v = writable();
  if (!v) return r;
  switch (rnd(10)) {
  case 0: return text(UNARY, "++%s", v);
  case 1: return text(POSTFIX, "%s--", v);
  case 2: return text(ASSIGN, "%s <<= %s & 31u", v, at(r, AND));
  case 3: return text(ASSIGN, "%s /= %s | 1u", v, at(r, OR));
  case 4: return text(ASSIGN, "%s %%= %s | 1u", v, at(r, OR));
  default: return text(ASSIGN, "%s %s %s", v, ops[rnd(7)], at(r, ASSIGN));
  }
}

// Behind a sequence point what was written before may be read. Written variables are numbered, so the first ones are known.
static Env then(const Env *e, int from) {
  Env k = *e;
  for (int i = from; i < fresh; i++) {
    int now = fresh;
    fresh = i;
    remember(&k, writable());
    fresh = now;
  }
  return k;
}

static Text sequenced(Env *e, int depth) {
  int from = fresh;
  unsigned k = rnd(7);
  if (k == 6) k = 0;
  Text l = k < 3 && rnd(4) ? assignment(e, depth) : expr(e, depth - 1);
  Env later = then(e, from);
  Text r = expr(&later, depth - 1);
  if (k < 3) return text(COMMA, "%s, %s", at(l, COMMA), at(r, ASSIGN));
  if (k == 3) return text(ANDAND, "%s && %s", at(l, ANDAND), at(r, OR));
  if (k == 4) return text(OROR, "%s || %s", at(l, OROR), at(r, ANDAND));
  if (rnd(4) == 0) return text(COND, "%s ?: %s", at(l, OROR), at(r, COND));
  Text third = expr(&later, depth - 1);
  return text(COND, "%s ? %s : %s", at(l, OROR), at(r, COMMA), at(third, COND));
}

static Text unary(Env *e, int depth) {
  static const char *const ops[] = {"-", "+", "~", "!", "(unsigned char)", "__extension__ ", "(unsigned)"};
  unsigned k = rnd(7);
  Text t = expr(e, depth - 1);
  return text(k == 4 || k == 6 ? CAST : UNARY, "%s%s%s", ops[k], k < 2 ? " " : "", at(t, CAST));
}

static Text special(Env *e, int depth) {
  Text t = expr(e, depth - 1);
  switch (rnd(13)) {
  case 0: return text(POSTFIX, "arr[%s & 3u]", at(t, AND));
  case 1: return text(UNARY, "*(arr + (%s & 3u))", at(t, AND));
  case 2: return text(POSTFIX, "%s.code", at(structure(e, depth - 1), POSTFIX));
  case 3: return text(POSTFIX, "({ %s; })", at(t, COMMA));
  case 4: return text(POSTFIX, "({ yield; %s; })", at(t, COMMA));
  case 5: return text(POSTFIX, "(struct pair){%s, 1}.code", at(t, ASSIGN));
  case 6: return text(POSTFIX, "(unsigned[]){1, %s}[1]", at(t, ASSIGN));
  case 7: return text(CAST, "(unsigned)sizeof %s", at(t, UNARY));
  case 8: return text(POSTFIX, "_Generic(a, unsigned: %s, default: 0)", at(t, ASSIGN));
  case 9: return text(POSTFIX, "plain(%s, %s)", at(t, ASSIGN), at(expr(e, depth - 1), ASSIGN));
  case 10: return text(POSTFIX, "arr[%s, %u]", at(t, ASSIGN), rnd(4));
  case 11: return text(CAST, "(unsigned)__builtin_expect(%s, 1)", at(t, ASSIGN));
  default: return text(POSTFIX, "({ unsigned q = %s; q; })", at(t, ASSIGN));
  }
}

static Text pausing(Env *e, int depth) {
  Text t = expr(e, depth - 1);
  switch (rnd(7)) {
  case 0: return text(UNARY, "await pv(%s)", at(t, ASSIGN));
  case 1: return text(UNARY, "await SPAWN pv(%s)", at(t, ASSIGN));
  case 2: return text(UNARY, "atomic pv(%s)", at(t, ASSIGN));
  case 3: return text(POSTFIX, "both(%s, %s)", at(t, ASSIGN), at(expr(e, depth - 1), ASSIGN));
  default: return text(POSTFIX, "pv(%s)", at(t, ASSIGN));
  }
}

static Text expr(Env *e, int depth) {
  if (depth <= 0) return leaf(e);
  switch (rnd(12)) {
  case 0: return leaf(e);
  case 1: case 2: return pausing(e, depth);
  case 3: case 4: return binary(e, depth);
  case 5: return unary(e, depth);
  case 6: return assignment(e, depth);
  case 7: case 8: return special(e, depth);
  default: return sequenced(e, depth);
  }
}

static Text structure(Env *e, int depth) {
  Text t = expr(e, depth - 1);
  switch (depth <= 0 ? rnd(3) : rnd(9)) {
  case 0: return text(POSTFIX, "st");
  case 1: return text(UNARY, "*p");
  case 2: return text(POSTFIX, "make(%s)", at(t, ASSIGN));
  case 3: return text(POSTFIX, "make_later(%s)", at(t, ASSIGN));
  case 4: return text(COMMA, "%s, %s", at(t, COMMA), at(structure(e, depth - 1), ASSIGN));
  case 5: return text(COND, "%s ? %s : %s", at(t, OROR), at(structure(e, depth - 1), COMMA), at(structure(e, depth - 1), COND));
  case 6: return text(POSTFIX, "({ yield; %s; })", at(structure(e, depth - 1), COMMA));
  case 7:
    if (fresh_struct < STRUCTS) return text(ASSIGN, "t%d = %s", fresh_struct++, at(structure(e, depth - 1), ASSIGN));
    /* fall through */
  default: return text(POSTFIX, "(struct pair){.more = %s, .code = 2}", at(t, ASSIGN));
  }
}

// ---- places ----
// Where `@` stands: any expression (a comma is welcome); `#`: one that binds like an assignment; `$`: a structure; `%`: one that
// pauses, as an assignment. The part behind `|` is what plain C has instead, with the same expressions.
static const char *const places[] = {
  "return @;",
  "unsigned r = #; return r + sum;",
  "unsigned r; r = #; return r + sum;",
  "const unsigned r[] = {#, [3] = #, #}; return r[0] + r[3] + r[4] + sum;",
  "struct pair r = {.more = #, .code = #}; return r.more + r.code + sum;",
  "struct pair r = $; return r.more * 2 + r.code + sum;",
  "struct pair r; r = $; yield; return r.more * 2 + r.code + sum;",
  "return plain(#, #) + sum;",
  "return both(#, #) + sum;",
  "return both(#, #);",
  "return pv(#);",
  "@; return sum;",
  "(void)(@); return sum;",
  "if (@) return 1 + sum; else return 2 + sum;",
  "unsigned n = 0; while (n++ < 3 && (@)) x++; return n + sum;",
  "unsigned n = 0; do x++; while (@, ++n < 3); return n + sum;",
  "unsigned n; for (n = 0, @; n < 3 && (@, 1); n++, @) yield; return n + sum;",
  "switch (@) { case 0: return sum; case 1: yield; return sum + 1; case 2 ... 9: return 3; default: break; } return sum + 2;",
  "switch ((@) & 3u) { case 0: yield; /* fall through */ case 1: @; break; case 2: return @; } return sum;",
  "return arr[@, 1] + (arr + 1)[x = #, 2 - 1] + sum;",
  "unsigned r = ({ yield; @; }); return r + sum;",
  "return ({ @; });",
  "return ({ if (a) yield; @; }) + sum;",
  "unsigned r = a ? @ : (#); return r + sum;",
  "return (@) ? @ : b;",
  "char v[(@) % 7u + 1]; yield; return (unsigned)sizeof v + sum;",
  "__typeof__(#) r = 1; return (unsigned)r + sum;",
  "unsigned r = #, q = #; __asm__(\"\" : \"+r\"(r) : \"r\"(q)); return r + sum;",
  "unsigned *r = &arr[@, 2]; yield; *r += #; return *r + sum;",
  "goto in; out: return x; in: x = #; yield; goto out;",
  "struct pair *r = &(struct pair){#, #}; yield; return r->code + r->more + sum;",
  "{ defer g1++; yield; return @; } | unsigned r = (@); g1++; return r;",
  "{ defer { yield; g1++; } return @; } | unsigned r = (@); g1++; return r;",
  "try { return @; } finally { yield; g1++; } | unsigned r = (@); g1++; return r;",
  "try { yield; throw $; } catch (struct pair e) { return e.code + e.more * 3; } | struct pair e = ($); return e.code + e.more * 3;",
  "try { thrower(#); return @; } catch (struct pair e) { return e.code; } | unsigned q = (#); if (q & 1) return q; return @;",
  "atomic { return @; } | return @;",
  "return atomic pv(#) + sum; | return pv(#) + sum;",
  "scope { yield; return @; } | return @;",
  "shield { return @; } | return @;",
  "task(unsigned) t = spawn pv(#); return await t + sum; | unsigned t = pv(#); return t + sum;",
  "task(unsigned) t = spawn both(#, #); yield; return await (x = #, t) + sum; | unsigned t = both(#, #); return (x = #, t) + sum;",
  "spawn in (@, fm_self()) pv(1); return sum; | @; return sum;",
  "unsigned r = 0; race { case r = %: x++; break; } return r + sum; | unsigned r = %; x++; return r + sum;",
  "unsigned r = 0; race { case r = (x = #, pv(#)): return @; } return r; | unsigned r; r = (x = #, pv(#)); return @;",
  "auto j = job pv(#); unsigned r = await j; fm_job_free(j); return r + sum; | unsigned r = pv(#); return r + sum;",
  "auto j = job (a, b) { unsigned x = 2, y = 3; yield; return (unsigned)0 + a + b + x + y; }; unsigned r = await (g0 = #, j); fm_job_free(j); return r + sum;"
    " | unsigned r = a + b + 5; g0 = #; return r + sum;",
  "unsigned r = 0; scope { activate { r = #; yield; r += #; } } return r + sum; | unsigned r = #; r += #; return r + sum;",
  "fm_activity id[2]; unsigned r = 0; scope { activate [&id[@, 1]] { r++; } } return r + sum; | unsigned r = 0; @; r++; return r + sum;",
};

static bool fits(char kind, Text t) { return kind == '%' ? strncmp(t.s, "pv(", 3) == 0 || strncmp(t.s, "both(", 5) == 0 : true; }

static char *one_text(char kind, int depth) {
  Env e = begin();
  Text t;
  int f = fresh, s = fresh_struct;
  do {
    fresh = f;
    fresh_struct = s;
    t = kind == '$' ? structure(&e, depth) : kind == '%' ? pausing(&e, depth) : rnd(2) ? sequenced(&e, depth) : expr(&e, depth);
  } while (!fits(kind, t));
  return at(t, kind == '@' ? COMMA : ASSIGN);
}

static bool is_hole(const char *s) {               // not the operator %, nor a designator
  return *s == '@' || *s == '$' || (*s == '#') || (*s == '%' && s[1] != ' ');
}

static void fill(const char *from, const char *to, char **texts) {
  int n = 0;
  for (const char *s = from; s < to; s++) {
    if (is_hole(s)) printf("%s", texts[n++]);
    else putchar(*s);
  }
  putchar('\n');
}

static const char *plain_part(const char *s) {     // NULL: the same text
  const char *k = strstr(s, " | ");
  return k && strstr(s, "|") == k + 1 ? k : NULL;
}

static void function(int number, const char *place, int depth) {
  const char *plain = plain_part(place), *end = plain ? plain : place + strlen(place);
  char *texts[16];
  int n = 0;
  fresh = fresh_struct = 0;
  for (const char *s = place; s < end; s++)
    if (is_hole(s)) texts[n++] = one_text(*s, depth);
  bool without = strstr(place, "return @;") && rnd(4) == 0 && !plain; // then what pauses is only in the expression
  printf("async unsigned f%d(unsigned a, unsigned b) {\n  VARIABLES\n  %s\n", number, without ? "" : "yield;");
  if (plain) printf("#ifdef PLAIN\n  ");
  else printf("  ");
  if (plain) {
    fill(plain + 3, place + strlen(place), texts);
    printf("#else\n  ");
  }
  fill(place, end, texts);
  printf("%s}\n", plain ? "#endif\n" : "");
}

static const char head[] =
  "#include <stdio.h>\n"
  "#ifdef PLAIN\n#define async\n#define yield\n#define await\n#define SPAWN\n#define atomic\n#define UNUSED\n"
  "#else\n#include <fermata.h>\n#define SPAWN spawn\n#endif\n"
  "struct pair { unsigned code, more; };\n"
  "static unsigned g0, g1, w0, w1, w2, w3, w4, w5, arr[4];\nstatic struct pair st, *p = &st;\n"
  "#define VARIABLES unsigned x = a + 1, y = b + 2, v0 = 1, v1 = 2, v2 = 3, v3 = 4, v4 = 5, v5 = 6, v6 = 7, v7 = 8, v8 = 9, v9 = 10; \\\n"
  "  struct pair t0 = {1, 2}, t1 = t0, t2 = t0, t3 = t0;\n"
  "#define sum (x * 3 + y * 5 + v0 + v1 * 7 + v2 * 11 + v3 * 13 + v4 * 17 + v5 * 19 + v6 * 23 + v7 * 29 + v8 * 31 + v9 * 37 + t0.code + t1.more * 3 + t2.code * 5 + t3.more * 7)\n"
  "static unsigned plain(unsigned a, unsigned b) { return a * 3 + b; }\n"
  "static struct pair make(unsigned a) { return (struct pair){a, a + 1}; }\n"
  "async unsigned pv(unsigned x) { yield; return x; }\n"
  "async unsigned both(unsigned x, unsigned y) { yield; return x * 5 + y; }\n"
  "async struct pair make_later(unsigned a) { yield; return (struct pair){a, a + 2}; }\n"
  "#ifndef PLAIN\n"
  "async void thrower(unsigned q) throws(struct pair) { yield; if (q & 1) throw make(q); }\n"
  "#endif\n"
  "static void begin(void) {\n  g0 = 1; g1 = 2; w0 = w1 = w2 = 3; w3 = w4 = w5 = 4;\n"
  "  for (unsigned i = 0; i < 4; i++) arr[i] = i * i + 1;\n  st.code = 6; st.more = 7;\n}\n"
  "static void show(int n, unsigned r) {\n"
  "  printf(\"%d: %u %u %u %u %u %u %u %u %u %u\\n\", n, r, g0, g1, w0, w1, w2, w3, w4, w5, arr[0] + arr[1] * 3 + arr[2] * 5 + arr[3] * 7 + st.code + st.more);\n}\n";

int main(int argc, char **argv) {
  enum { PLACES = sizeof places / sizeof *places };
  state = argc > 1 ? strtoull(argv[1], NULL, 10) * 2654435761u + 1 : 1;
  int n = argc > 2 ? atoi(argv[2]) : PLACES;
  printf("%s", head);
  for (int i = 0; i < n; i++) function(i, places[(unsigned)i % PLACES], 2 + (int)rnd(3));
  printf("async int main(void) {\n");
  for (int i = 0; i < n; i++) printf("  begin();\n  show(%d, f%d(2, 3));\n  begin();\n  show(%d, atomic f%d(2, 3));\n", i, i, i, i);
  printf("  return 0;\n}\n");
  return 0;
}
