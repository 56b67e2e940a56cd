// 1'000'000 is one number in C23, and 'x' beside a number is still a character.
// flags: -std=gnu2x
#include <stdio.h>

#define PAIR(a, b) a + b

int main(void) {
  int n = 1'000'000, hex = 0xff'ff, bin = 0b1010'0101;
  printf("%d %d %d\n", n, hex, bin);              // expect: 1000000 65535 165
  printf("%.1f\n", 1'0.2'5 * 2);                  // expect: 20.5
  printf("%d\n", PAIR(0, 'a') + PAIR(1,'b'));     // expect: 196
  char v[1'0];
  printf("%zu\n", sizeof v);                      // expect: 10
  return 0;
}
