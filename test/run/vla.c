// Variable length arrays: parameters, pointers to them, sizeof, typedefs that fix their length, loops, side effects once.
#include <stdio.h>
#include <string.h>

static int calls;
static int next(void) { return ++calls; }

static int trace(int n, int m[n][n]) {
  int t = 0;
  for (int i = 0; i < n; i++) t += m[i][i];
  return t;
}

int unspecified(int, int (*)[*], int[*]);          // only a prototype can say so
static int last(int n, int (*row)[n]) { return (int)sizeof *row + (*row)[n - 1]; }

static long sum(size_t rows, size_t cols, long (*a)[cols]) {
  long s = 0;
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < sizeof *a / sizeof **a; c++) s += a[r][c];
  return s;
}

static int half(int n, const char s[static n / 2]) { return (int)strnlen(s, (size_t)n / 2); }

static int jumps(int n) {
  int total = 0;
again:;
  int buffer[n];
  memset(buffer, 0, sizeof buffer);
  buffer[n - 1] = n;
  total += buffer[n - 1] + (int)(sizeof buffer / sizeof buffer[0]);
  if (--n > 0) goto again;
  return total;
}

int main(void) {
  int n = 3;
  int a[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = 10 * i + j;
  printf("%d\n", trace(n, a));                    // expect: 33
  printf("%d\n", last(n, &a[2]));                 // expect: 34
  printf("%zu %zu\n", sizeof a, sizeof a[0]);     // expect: 36 12

  typedef int row[n];
  n = 100;
  row r;
  // expect: 12
  memset(r, 0, sizeof r);
  printf("%zu\n", sizeof r);

  char c[next() + 4];
  printf("%zu %d\n", sizeof c, calls);            // expect: 5 1
  printf("%zu\n", sizeof(int[next()]));           // expect: 8
  printf("%d\n", calls);                          // expect: 2
  int (*p)[n] = 0;
  printf("%zu\n", sizeof *p);                     // expect: 400

  long m[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  printf("%ld\n", sum(2, 4, m));                  // expect: 36
  printf("%d\n", half(6, "abcdef"));              // expect: 3
  printf("%d\n", jumps(3));                       // expect: 12
  __typeof__(&a) same = &a;
  printf("%d\n", (*same)[2][1]);                  // expect: 21
  for (int k = 1; k < 4; k++) {
    char text[k * 2];
    printf("%zu%c", sizeof text, k < 3 ? ' ' : '\n'); // expect: 2 4 6
  }
  return 0;
}
