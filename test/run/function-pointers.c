// Declarators that make one think: functions that return functions, arrays of them, parameters that are functions.
#include <signal.h>
#include <stdio.h>

typedef int binary(int, int);
typedef int (*binary_ptr)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static binary mul;
static int mul(int a, int b) { return a * b; }

static int (*pick(char c))(int, int) { return c == '+' ? add : c == '-' ? &sub : mul; }
static int (*(*pick_picker(void))(char))(int, int) { return pick; }
static int (*const table[3])(int, int) = {add, &sub, *mul};
static int (*(*rows)[3])(int, int);
static int twice(int f(int, int), int x) { return (*f)((***f)(x, x), x); }
static int fold(binary *f, const int v[], int n) { return n == 1 ? *v : f(*v, fold(f, v + 1, n - 1)); }
static int (*array_of(int (*a)[3]))[3] { return a; }
static void (*saved)(int);
void (*my_signal(int sig, void (*func)(int)))(int);
void (*my_signal(int sig, void (*func)(int)))(int) { void (*old)(int) = saved; saved = func; (void)sig; return old; }
static void noted(int n) { printf("noted %d\n", n); }
static char const *const (*text(int n))[2] {
  static char const *const pairs[][2] = {{"a", "b"}, {"c", "d"}};
  return &pairs[n];
}

int main(void) {
  int v[] = {1, 2, 3}, m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  printf("%d %d %d\n", pick('+')(3, 4), pick('-')(3, 4), (*pick('*'))(3, 4)); // expect: 7 -1 12
  printf("%d\n", pick_picker()('*')(6, 7));       // expect: 42
  printf("%d\n", table[0](1, 2) + table[1](5, 1) + (*table[2])(2, 2)); // expect: 11
  int (*own[3])(int, int) = {mul, mul, add};
  rows = &own;
  printf("%d\n", (*rows)[1](5, 5));               // expect: 25
  printf("%d %d\n", twice(add, 3), twice(&mul, 3)); // expect: 9 27
  printf("%d\n", fold(sub, v, 3));                // expect: 2
  printf("%d\n", array_of(m)[1][2]);              // expect: 6
  my_signal(1, noted);
  my_signal(2, 0)(5);                             // expect: noted 5
  printf("%s\n", (*text(1))[0]);                  // expect: c
  binary_ptr p = add, *pp = &p;
  printf("%d\n", (**pp)(1, 1) + (*****p)(1, 1));  // expect: 4
  int (*cast)(int, int) = (int (*)(int, int))(void *)add;
  printf("%d %d\n", cast == add, !cast);          // expect: 1 0
  printf("%d\n", (p ? mul : sub)(4, 5));          // expect: 20
  printf("%zu\n", sizeof(int (*(*[4])(char))(int, int))); // expect: 32
  return 0;
}
