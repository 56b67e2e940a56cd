// typeof of expressions and types, qualified, nested, in casts, parameters and declarators, of VLAs and bit-field results.
// flags: -Wno-unneeded-internal-declaration
#include <stdio.h>

static int table[3][4];
typedef typeof(table) grid;
static typeof(int (*)(int)) handler;
static __typeof__(table[0]) row = {1, 2, 3, 4};
static typeof(&table[1]) cursor = table + 2;
extern typeof(handler) handler;
static int twice(typeof(row[0]) x) { return (typeof(x))(x * 2); }
static __typeof(twice) thrice;
static int thrice(int x) { return x * 3; }
#define swap(a, b) do { typeof(a) t_ = a; a = b; b = t_; } while (0)
#define array(t, n) typeof(t[n])
#define pointer(t) typeof(t *)

int main(void) {
  int x = 1, y = 2;
  swap(x, y);
  printf("%d %d\n", x, y);                        // expect: 2 1
  printf("%zu %zu %zu\n", sizeof(grid), sizeof row, sizeof *cursor); // expect: 48 16 16
  handler = twice;
  printf("%d %d\n", handler(4), thrice(4));       // expect: 8 12
  array(pointer(char), 4) names = {"a", "b", "c", "d"};
  pointer(array(int, 3)) p = &(int[3]){7, 8, 9};
  printf("%s %d\n", names[3], (*p)[2]);           // expect: d 9
  const typeof(x) c = 5, *q = &c;
  typeof(typeof(const char *)[2]) words = {"in", "out"};
  printf("%d %s\n", *q, words[1]);                // expect: 5 out
  char small = 1;
  printf("%zu %zu\n", sizeof(typeof(small)), sizeof(typeof(small + 0))); // expect: 1 4
  typeof(({ long l = 3; l; })) l = 4;
  printf("%zu\n", sizeof l);                      // expect: 8
  int n = 5;
  int v[n];
  typeof(v) *w = &v;
  n = 9;
  printf("%zu %zu\n", sizeof *w, sizeof(typeof(int[n]))); // expect: 20 36
  struct { unsigned b : 3; } bits = {5};
  typeof(+bits.b) wide = bits.b;
  printf("%d %zu\n", wide, sizeof wide);          // expect: 5 4
  typeof(x) *typeof_pointer = &x, array2[2] = {1, 2};
  printf("%d\n", *typeof_pointer + array2[1]);    // expect: 4
  for (typeof(n) i = 0; i < 1; i++) printf("%d\n", i); // expect: 0
  return (typeof(int)){0};
}
