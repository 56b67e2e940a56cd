// Bit-fields: values wrap to their width, narrow ones promote to int, unnamed and zero-width ones lay out the rest.
#include <stdio.h>

enum mode { OFF, ON, AUTO };
struct flags {
  unsigned a : 1, b : 3, : 4, c : 8;
  signed d : 5;
  unsigned : 0;
  unsigned long long wide : 40;
  enum mode mode : 2;
  _Bool yes : 1;
};
union word {
  unsigned all;
  struct { unsigned low : 16, high : 16; };
};

static int widths(struct flags *f) {
  f->b = 7;
  f->b++;
  f->c = 255;
  f->c += 2;
  f->d = 15;
  return f->b * 100 + f->c * 10 + (f->d < 0);
}

int main(void) {
  struct flags f = {.a = 1, .b = 5, .c = 200, .d = -16, .wide = 0xFFFFFFFFFFull, .mode = AUTO, .yes = 9};
  printf("%d %d %d %d\n", f.a, f.b, f.c, f.d);                    // expect: 1 5 200 -16
  printf("%llx %d %d\n", (unsigned long long)f.wide, f.mode, f.yes); // expect: ffffffffff 2 1
  printf("%d\n", f.a - 2 < 0);                                    // expect: 1
  printf("%d\n", -f.c < 0);                                       // expect: 1
  printf("%d\n", widths(&f));                                     // expect: 10
  printf("%zu\n", sizeof f);                                      // expect: 16
  printf("%d\n", (int)_Generic(+f.b, int: 1, unsigned: 2, default: 3)); // expect: 1
  union word w = {0x12345678};
  printf("%x %x\n", w.high, w.low);                               // expect: 1234 5678
  w.high ^= w.low;
  printf("%x\n", w.all);                                          // expect: 444c5678
  struct { int x : 3; unsigned y : 3; } n[] = {{3, 7}, {-4, 0}, [3] = {.y = 1}};
  printf("%zu %d %d\n", sizeof n / sizeof *n, n[1].x, n[0].y + n[3].y); // expect: 4 -4 8
  int t = f.yes ? f.d : f.b, u = (widths(&f), f.b), v = f.a = 1;
  printf("%d %d %d\n", t, u, v);                                  // expect: 15 0 1
  return 0;
}
