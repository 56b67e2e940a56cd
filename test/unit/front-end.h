// front-end.h: what the compiler's unit tests share: a unit parsed from a string, and checks that print both values.
#include "fmcc.h"

#include <stdlib.h>

static int failures;

static inline void check_int(const char *what, long long want, long long got) {
  if (want == got) return;
  failures++;
  printf("%s: expected %lld (0x%llx), got %lld (0x%llx)\n", what, want, (unsigned long long)want, got, (unsigned long long)got);
}

static inline void check_text(const char *what, const char *want, const char *got) {
  if (strcmp(want, got) == 0) return;
  failures++;
  printf("%s: expected `%s`, got `%s`\n", what, want, got);
}

static inline Unit *unit_of(const char *text, TranslateOptions opt) { // the text's tokens
  Unit *u = calloc(1, sizeof *u);
  u->name = "test.c";
  u->len = strlen(text);
  u->text = xstrdup(text);
  u->opt = opt;
  unit_init(u);
  lex(u);
  return u;
}

static inline Unit *parsed(const char *text, TranslateOptions opt) { // without errors, or the test fails
  opt.mode = TRANSLATE_REPRINT;
  Unit *u = unit_of(text, opt);
  parse_unit(u);
  diags_print(u);
  check_int(text, 0, u->errors);
  return u;
}

static inline void unit_done(Unit *u) {
  unit_free(u);
  free((char *)u->text);
  free(u);
}

static inline Symbol *symbol(Unit *u, const char *name) { // of file scope
  Symbol *s = intern(u, name, strlen(name))->sym;
  if (!s) printf("no symbol `%s` in: %s\n", name, u->text), exit(1);
  return s;
}

// The checked tree of `text`, an expression after the declarations in `before`.
static inline Node *expression(Unit **u, const char *before, const char *text, TranslateOptions opt) {
  char *whole;
  if (asprintf(&whole, "%s\nvoid probe_(void) { (%s); }\n", before, text) < 0) abort();
  *u = parsed(whole, opt);
  Item *last = (*u)->items;
  while (last && last->next) last = last->next;
  if (!last || !last->tree || !last->tree->a || last->tree->a->kind != N_EXPR) printf("no expression in: %s", whole), exit(1);
  free(whole);
  return last->tree->a->a->a;
}

static inline int result(void) {
  if (failures) printf("%d failed\n", failures);
  return failures != 0;
}
