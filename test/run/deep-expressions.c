// Expressions as generators write them: a thousand parentheses, a thousand terms, long chains of ?:, && and calls.
// flags: -Wno-parentheses -Wno-unused-value
#include <stdio.h>

#define P1(x) (x)
#define P2(x) P1(P1(P1(P1(P1(P1(P1(P1(P1(P1(x))))))))))
#define P3(x) P2(P2(P2(P2(P2(P2(P2(P2(P2(P2(x))))))))))
#define NOT10(x) !!!!!!!!!!x
#define NOT100(x) NOT10(NOT10(NOT10(NOT10(NOT10(NOT10(NOT10(NOT10(NOT10(NOT10(x))))))))))
#define S10(x) x x x x x x x x x x
#define S100(x) S10(S10(x))
#define S1000(x) S10(S100(x))
#define DEREF10 &*&*&*&*&*

static int id(int x) { return x; }
#define C10(x) id(id(id(id(id(id(id(id(id(id(x))))))))))
#define C100(x) C10(C10(C10(C10(C10(C10(C10(C10(C10(C10(x))))))))))

static int chain(int n) {
  return n == 0 ? 10 : n == 1 ? 11 : n == 2 ? 12 : n == 3 ? 13 : n == 4 ? 14 : n == 5 ? 15 :
    n == 6 ? 16 :
    n == 7 ? 17 :
    n == 8 ? 18 :
    n == 9 ? 19 :
    n == 10 ? 20 :
    n == 11 ? 21 :
    n == 12 ? 22 :
    n == 13 ? 23 :
    n == 14 ? 24 :
    n == 15 ? 25 :
    n == 16 ? 26 :
    n == 17 ? 27 :
    n == 18 ? 28 :
    n == 19 ? 29 :
    n == 20 ? 30 :
    n == 21 ? 31 :
    n == 22 ? 32 :
    n == 23 ? 33 :
    n == 24 ? 34 :
    n == 25 ? 35 :
    n == 26 ? 36 :
    n == 27 ? 37 :
    n == 28 ? 38 :
    n == 29 ? 39 :
    n == 30 ? 40 :
    n == 31 ? 41 :
    n == 32 ? 42 :
    n == 33 ? 43 :
    n == 34 ? 44 :
    n == 35 ? 45 :
    n == 36 ? 46 :
    n == 37 ? 47 :
    n == 38 ? 48 :
    n == 39 ? 49 :
    n == 40 ? 50 :
    n == 41 ? 51 :
    n == 42 ? 52 :
    n == 43 ? 53 :
    n == 44 ? 54 :
    n == 45 ? 55 :
    n == 46 ? 56 :
    n == 47 ? 57 :
    n == 48 ? 58 :
    n == 49 ? 59 :
    n == 50 ? 60 :
    n == 51 ? 61 :
    n == 52 ? 62 :
    n == 53 ? 63 :
    n == 54 ? 64 :
    n == 55 ? 65 :
    n == 56 ? 66 :
    n == 57 ? 67 :
    n == 58 ? 68 :
    n == 59 ? 69 :
    -1;
}

int main(void) {
  int a = 1, *p = &a, v[2] = {3, 4};
  int sum = 0 S1000(+ 1);
  int left = 10000 S1000(- 2), logic = 1 S100(&& a), bits = 0 S100(| 4 ^ a & a);
  printf("%d\n", P3(P2(a)) + P3(2));              // expect: 3
  printf("%d %d %d %d\n", sum, left, logic, bits); // expect: 1000 8000 1 5
  printf("%d\n", NOT100(a));                      // expect: 1
  printf("%d\n", C100(id(7)));                    // expect: 7
  printf("%d %d %d\n", chain(5), chain(59), chain(60)); // expect: 15 69 -1
  printf("%d\n", *DEREF10 DEREF10 DEREF10 p);     // expect: 1
  int x, y, z, w;
  x = y = z = w = *p = v[1];
  printf("%d\n", x + y + z + w);                  // expect: 16
  printf("%d\n", - - - -a + + + +a - -a);         // expect: 12
  printf("%d\n", a+++ ++v[0]);                    // expect: 8
  int less = a-- - --v[0];
  printf("%d %d\n", less, a);                     // expect: 2 4
  printf("%d\n", a<<1>>1<<2 & ~0 ^ 1 | 64);       // expect: 81
  printf("%d\n", (a , v)[a , 1]);                 // expect: 4
  printf("%d\n", sizeof a * a / sizeof(int) % 3 == 1 ? 1 : 0); // expect: 1
  printf("%d\n", 1[v] + *&*&v[0] + (*&p)[0]);     // expect: 11
  return 0;
}
