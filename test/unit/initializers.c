// How long an initializer makes its array: ours against the compiler of this test.
#include "front-end.h"

#pragma GCC diagnostic ignored "-Wmissing-braces"
#pragma GCC diagnostic ignored "-Woverride-init"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

struct p { int x, y; };
struct q { char name[4]; struct p in[2]; union { int i; struct p u; }; int : 3; int last; };
struct e { };
static const char before[] = "struct p { int x, y; }; struct q { char name[4]; struct p in[2]; union { int i; struct p u; }; int : 3; int last; };"
  "struct e { }; static struct p one; enum { THREE = 3 };";
enum { THREE = 3 };

static void length(const char *type, const char *suffix, const char *init, long long bytes) {
  char *text, what[400];
  if (asprintf(&text, "%s\n%s x[]%s = %s;\nvoid f(void) { %s x[]%s = %s; (void)x; }", before, type, suffix, init, type, suffix, init) < 0) abort();
  Unit *u = parsed(text, (TranslateOptions){0});
  snprintf(what, sizeof what, "sizeof %s x[]%s = %.300s", type, suffix, init);
  check_int(what, bytes, type_size(u, symbol(u, "x")->type));
  Item *last = u->items;
  while (last->next) last = last->next;
  check_int(what, bytes, type_size(u, last->tree->a->decl->sym->type));
  unit_done(u);
  free(text);
}
#define LENGTH(type, suffix, ...) do { static type x[] suffix = __VA_ARGS__; length(#type, #suffix, #__VA_ARGS__, sizeof x); } while (0)

int main(void) {
  LENGTH(int, , {1, 2, 3});
  LENGTH(int, , {1, 2, 3, });
  LENGTH(int, , {});
  LENGTH(int, , {[4] = 1});
  LENGTH(int, , {[4] = 1, 2, [1] = 5, 6, 7});
  LENGTH(int, , {[0 ... 9] = 1, 2});
  LENGTH(int, , {[THREE * 2] = 1, [THREE] = 2});
  LENGTH(int, , {[2] 5, 6});
  LENGTH(char, , "hello");
  LENGTH(char, , {"hello"});
  LENGTH(char, , ("hello"));
  LENGTH(char, , "a" "b\0c");
  LENGTH(char, , {'a', 'b'});
  LENGTH(char, , "");
  LENGTH(unsigned char, , "uns");
  LENGTH(int, , L"wide");
  LENGTH(unsigned short, , u"sixteen\U0001F600");
  LENGTH(unsigned, , {U"x"});
  LENGTH(char *, , {"a", "b"});
  LENGTH(char, [4], {"a", "bc", [5] = "x"});
  LENGTH(char, [2], {'a', 'b', 'c'});
  LENGTH(int, [3], {1, 2, 3, 4});
  LENGTH(int, [3], {{1}, {2}, 3, 4, 5, 6});
  LENGTH(int, [3], {[1][2] = 1, 2, 3});
  LENGTH(int, [3], {[1] = {1}, 2, 3, 4, 5});
  LENGTH(int, [2][2], {1, 2, 3, 4, 5});
  LENGTH(int, [2][2], {{{1}}, 2, 3, [3][1] = {7}, 8});
  LENGTH(int, [2][2], {[0][1][1] = 1, 2});
  LENGTH(struct p, , {1, 2, 3});
  LENGTH(struct p, , {{1}, {2}, 3});
  LENGTH(struct p, , {[3].y = 1});
  LENGTH(struct p, , {[3].x = 1, 2, 3});
  LENGTH(struct p, , {[1].y = 1, 2, 3, [0] = {1}});
  LENGTH(struct p, , {{.y = 2}, {.x = 1}, 5, 6});
  LENGTH(struct q, , {"abc", 1, 2, 3, 4, 5, 6, "def", 7});
  LENGTH(struct q, , {{"abc"}, {{1}}});
  LENGTH(struct q, , {'a', 'b', 'c', 'd', 1, 2, 3, 4, 5, 6, 'x'});
  LENGTH(struct q, , {[1].in[1].x = 3, 4, 5, 6, "next"});
  LENGTH(struct q, , {[0].u.y = 3, 9, "next"});
  LENGTH(struct q, , {[2].name[3] = 'z', 1, 2, 3, 4, 5, 6, "next", 1});
  LENGTH(struct q, , {[0].i = 3, 9, "next"});
  LENGTH(struct q, , {{.last = 3}, "a", {1, 2, 3, 4}, {5}, 6, "b"});
  return result();
}
