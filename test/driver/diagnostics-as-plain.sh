# Warnings that depend on the function around, and so cannot be cases of test/diagnostics: the same
# as in plain C, once, at the same line and column.
. "$SRC/test/driver/common.bash"

cat > head.h << 'END'
#include <stdarg.h>
#include <stdio.h>
#ifdef __FERMATA__
#include <fermata.h>
#else
#define async
#define yield (void)0
#endif
int use(int);
END

# same OPTION…: of t.c, without the lines that show text
same() {
  local compiler
  for compiler in "$CC" "$FMCC"; do
    "$compiler" "$@" -c -o t.o t.c 2>&1 | grep -E '^t\.c:[0-9]+:[0-9]+: ' | sort > "said.${compiler##*/}" || true
  done
  [ -s "said.${CC##*/}" ] || fail "$*: the compiler says nothing of plain C"
  diff "said.${CC##*/}" "said.${FMCC##*/}" || fail "$*: differs from plain C"
}

cat > t.c << 'END'
#include "head.h"
async int a(int n) {
  int before = n;
  yield;
  int x = 1;
  use(x + before);
  { use(n); int y = 2; use(y); }
  for (int i = 0; i < n; i++) { int fine = i; use(fine); int late = i; yield; use(late); }
  switch (n) { case 1:; int z = 3; use(z); }
  return n;
}
async int b(int n) { int fine = n; static int more; yield; return use(fine) + more++; }
END
same -std=gnu11 -Wall -Wextra -Wdeclaration-after-statement

cat > t.c << 'END'
#include "head.h"
async void a(int m, const char *fmt, ...) {
  va_list ap;
  va_start(ap, m);
  vprintf(fmt, ap);
  va_end(ap);
}
async void b(int m, const char *fmt, ...) {
  va_list ap; va_start(ap, fmt); vprintf(fmt, ap); va_end(ap);
  yield; use(m);
}
async void c(register int m, ...) { va_list ap; int k = 0; va_start(ap, k); use(m); va_end(ap); }
END
same -Wall -Wextra

cat > t.c << 'END'
#include "head.h"
async int a(int n) { yield; if (n) return 1; }
async int b(int n) { for (;;) { yield; if (n) break; } }
async int c(int n) { yield; switch (n) { case 1: return 1; default: return 2; } }
async int d(int n) { while (n) { yield; return 1; } }
async void e(int n) {
  yield;
  printf("%s and %d\n", n, "x"); printf("%d\n");
  use(n); printf("%5$d\n", n);
}
async void f(const char *s) {
  yield;
  use(1); printf(s);
  char b[4]; snprintf(b, sizeof b, "%s-%d", s, 1L); puts(b);
}
END
same -Wall -Wextra -Wformat=2 -O1
