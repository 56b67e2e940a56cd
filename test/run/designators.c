// Designated initializers in all their forms, and what they leave out.
// flags: -Wno-override-init -Wno-initializer-overrides -Wno-missing-field-initializers -Wno-gnu-designator -Wno-missing-braces -Wno-unknown-warning-option
#include <stdio.h>

struct inner { int a, b[3]; };
struct outer { char name[8]; struct inner in; union { int i; float f; } u; struct { int deep; }; };
enum { RED, GREEN = 4, BLUE };

static const int table[] = {[BLUE] = 5, 6, [RED] = 1, [GREEN] = 4};
static struct inner list[] = {[1].b[2] = 12, [0] = {1, {2, 3, 4}}, 7, 8, 9};
static const char *const names[] = {[0 ... 2] = "low", [5] = "five", [3 ... 4] = "mid"};
static struct outer global = {.in.b = {[1] = 21}, .name = "abc", .u.f = 1.5f, .deep = 3, .in.a = 9};
static int matrix[][3] = {[1] = {[2] = 1}, {4, 5}, [0][1] = 7, 8};
static struct outer old = {name: "old", in: {a: 1, b: {[0] 5, [2] 6}}, u: {i: 3}};
static char text[][6] = {[2] = "two", "three", [0] = {'z', 'e'}};

static void show(const int *v, int n) {
  for (int i = 0; i < n; i++) printf("%d%c", v[i], i + 1 < n ? ' ' : '\n');
}

int main(void) {
  show(table, (int)(sizeof table / sizeof *table)); // expect: 1 0 0 0 4 5 6
  printf("%zu\n", sizeof list / sizeof *list);    // expect: 2
  show(list[0].b, 3);                             // expect: 2 3 4
  show(list[1].b, 3);                             // expect: 8 9 12
  printf("%d\n", list[1].a);                      // expect: 7
  printf("%zu %s %s %s\n", sizeof names / sizeof *names, names[2], names[4], names[5]); // expect: 6 low mid five
  printf("%s %d %d %.1f %d\n", global.name, global.in.a, global.in.b[1], (double)global.u.f, global.deep); // expect: abc 9 21 1.5 3
  show(matrix[0], 3);                             // expect: 0 7 8
  show(matrix[1], 3);                             // expect: 0 0 1
  show(matrix[2], 3);                             // expect: 4 5 0
  printf("%s %d %d %d\n", old.name, old.in.b[0], old.in.b[2], old.u.i); // expect: old 5 6 3
  printf("%zu %s %s %s\n", sizeof text / 6, text[0], text[2], text[3]); // expect: 4 ze two three
  int n = table[6];
  struct inner local = {.b = {n, n + 1}, .a = n * 2};
  int spread[] = {[2 ... 4] = n, [7] = local.a};
  printf("%d\n", local.a + local.b[1]);           // expect: 19
  show(spread, 8);                                // expect: 0 0 6 6 6 0 0 12
  struct { int x; struct { int y, z; } in[2]; } nested = {1, .in[1].z = 4, .in[0] = {2, 3}};
  printf("%d%d%d%d\n", nested.x, nested.in[0].y, nested.in[0].z, nested.in[1].z); // expect: 1234
  return 0;
}
