// Flexible array members, [0] and [1] in their old role, initialized ones, sizes.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text { size_t len; char data[]; };
struct zero { short n; int v[0]; };
struct holder { int n; struct { char c; short s[]; } in; };
static struct text greeting = {5, {"hello"}};
static struct { int n; int v[]; } counted = {3, {[1] = 20, 30}};
static struct empty {} nothing, *to_nothing = &nothing;

static struct text *make(const char *s) {
  struct text *t = malloc(sizeof *t + strlen(s) + 1);
  t->len = strlen(s);
  memcpy(t->data, s, t->len + 1);
  return t;
}

int main(void) {
  struct text *t = make("flexible");
  printf("%s %zu %s\n", t->data, t->len, greeting.data); // expect: flexible 8 hello
  free(t);
  printf("%zu %zu %zu\n", sizeof(struct text), offsetof(struct text, data), sizeof greeting); // expect: 8 8 8
  printf("%zu %zu %zu\n", sizeof(struct zero), offsetof(struct zero, v), sizeof(((struct zero *)0)->v)); // expect: 4 4 0
  printf("%d %d\n", counted.v[1], counted.v[2]);  // expect: 20 30
  printf("%zu %zu\n", sizeof(struct holder), offsetof(struct holder, in.s)); // expect: 8 6
  printf("%zu %d\n", sizeof(struct empty), to_nothing == &nothing); // expect: 0 1
  return 0;
}
