// Expressions that real code seldom has: a compound literal after ++ and --, a builtin chosen by ?:, functions with transparent unions.
// only: gcc
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/socket.h>

int actions[] = {}, rows[][8] = {};
typedef union { int *i; float *f; } either __attribute__((transparent_union));
static int other(char *b, const char *format, ...) { (void)b, (void)format; return 7; }
static int takes(either e, int n) { return *e.i + n; }
typedef int (*exact)(int *, int);
typedef int (*peer)(int, struct sockaddr *, socklen_t *);

int main(void) {
  char b[20];
  int n = 3, sum = 0;
  exact f = takes;
  peer p = getsockname;
  for (int i = 0; i < 2; i++) sum += (i ? __builtin_sprintf : other)(b, "%d", 42);
  printf("%d %s\n", sum, b);                      // expect: 9 42
  printf("%d %d %d\n", --(int){3} + ++(__typeof__(1)){4}, ++(int[]){1, 2}[1], -- *&(int){6}); // expect: 7 3 5
  printf("%zu %zu\n", sizeof actions, sizeof rows); // expect: 0 0
  printf("%d %d\n", f(&n, 1), p(-1, NULL, NULL)); // expect: 4 -1
  return 0;
}
