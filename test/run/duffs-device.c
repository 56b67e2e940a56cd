// switch that jumps into loops, blocks and statements of every kind; declarations that are skipped; no default.
// flags: -Wno-implicit-fallthrough
#include <stdio.h>

static void copy(char *to, const char *from, int count) {
  int n = (count + 7) / 8;
  switch (count % 8) {
  case 0: do { *to++ = *from++;
  case 7:      *to++ = *from++;
  case 6:      *to++ = *from++;
  case 5:      *to++ = *from++;
  case 4:      *to++ = *from++;
  case 3:      *to++ = *from++;
  case 2:      *to++ = *from++;
  case 1:      *to++ = *from++;
          } while (--n > 0);
  }
}

static int coroutine(int *state) {
  static int i;
  switch (*state) {
  case 0:
    for (i = 0; i < 3; i++) {
      *state = 1;
      return i;
  case 1:;
    }
    *state = 2;
  case 2: return -1;
  }
  return -2;
}

static int odd(int n) {
  switch (n)
  case 3: case 4: if (n == 3) return 30; else
  default: return 1;
  return 0;
}

static int inside_if(int n) {
  int r = 0;
  switch (n) {
    int skipped;
  case 0: skipped = 5; r = skipped;
    if (r > 100) {
  case 1: r += 10;
    } else {
  case 2: r += 20;
      while (r < 25) {
  case 3: r += 3;
        continue;
  case 4: break;
      }
    }
  }
  return r;
}

int main(void) {
  char to[16] = {0};
  int state = 0;
  copy(to, "abcdefghijk", 11);
  puts(to);                                       // expect: abcdefghijk
  for (int k = 0; k < 5; k++) printf("%d ", coroutine(&state));
  puts("|");                                      // expect: 0 1 2 -1 -1 |
  printf("%d %d %d\n", odd(3), odd(4), odd(9));   // expect: 30 1 1
  for (int k = 0; k < 6; k++) printf("%d ", inside_if(k));
  puts("|");                                      // expect: 25 10 26 27 0 0 |
  switch (1) default: puts("alone");              // expect: alone
  return 0;
}
