// Enumerations: values that go on, negative ones, wide ones (GNU), shadowing, in array lengths and cases, forward, unsigned.
// flags: -Wno-pedantic -Wno-gnu-case-range
#include <stdio.h>

enum color { RED, GREEN = 5, BLUE, CYAN = GREEN, LAST = BLUE + 10, };
enum { NEGATIVE = -1, ZERO, ONE };
enum wide { HUGE_ONE = 0x123456789aLL, NEXT };
enum top { TOP = 0xFFFFFFFFu };
enum mixed { LOW = -5, HIGH = 0x7fffffff };
enum self { A0 = sizeof(int), A1 = A0 * A0, A2 = A1 > 3 ? 7 : 8, A3 = 'a', A4 = (char)0x141, A5 = !A0, A6 = (int)2.9 };
static int table[LAST] = {[RED] = 1, [BLUE] = 2};
typedef enum { FIRST, SECOND } order;

static const char *name(enum color c) {
  switch (c) {
  case RED: return "red";
  case GREEN: return "green";
  case BLUE: return "blue";
  case LAST: return "last";
  }
  return "none";
}
static order flip(order o) { return o == FIRST ? SECOND : FIRST; }

int main(void) {
  printf("%d %d %d %d\n", GREEN, BLUE, CYAN, LAST); // expect: 5 6 5 16
  printf("%s %s\n", name(CYAN), name((enum color)3)); // expect: green none
  printf("%d %d %d\n", NEGATIVE, ZERO, ONE);      // expect: -1 0 1
  printf("%llx %zu\n", (unsigned long long)NEXT, sizeof(enum wide)); // expect: 123456789b 8
  printf("%u %zu %zu\n", TOP, sizeof(enum top), sizeof(enum mixed)); // expect: 4294967295 4 4
  printf("%d %d %d %d %d %d\n", A1, A2, A3, A4, A5, A6); // expect: 16 7 97 65 0 2
  printf("%zu %d\n", sizeof table / sizeof *table, table[BLUE]); // expect: 16 2
  printf("%d\n", flip(SECOND));                   // expect: 0
  enum color c = RED;
  c++;
  printf("%d %d\n", c, c - 2 > 0);                // expect: 1 1
  enum { RED = 40, INNER } in = RED;
  printf("%d %d\n", in, INNER);                   // expect: 40 41
  {
    enum color { OTHER = 9 };
    enum color o = OTHER;
    printf("%d\n", o);                            // expect: 9
  }
  int n = sizeof(enum { HERE = 3 }) + HERE;
  printf("%d\n", n);                              // expect: 7
  printf("%d\n", _Generic(LOW, int: 1, default: 2)); // expect: 1
  return 0;
}
