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

# What a job returns is checked as what a function returns: the same kind of message at the same place; the words differ.
cat > head.h << 'END'
#include <stddef.h>
struct pair { int a, b; };
void nothing(void);
END
kinds() { grep -E '^t\.c:[0-9]+:[0-9]+: (error|warning)' | sed -E 's/^(t\.c:[0-9]+:[0-9]+: (error|warning)).*/\1/' | sort -u; }
while read -r type value; do
  first=$([ "$type" = 'int' ] && echo 1 || echo 0)
  printf '#include "head.h"\n%s\nint f(int n, double d, long l, struct pair p, const char *s) {\n  (void)n, (void)d, (void)l, (void)p, (void)s;\n  if (n) return (%s)%s;\n  return %s;\n%s' \
    '' "$type" "$first" "$value" $'}\n' | sed "s/^int f/$type f/" > t.c
  "$CC" -Wall -Wextra -Wconversion -c -o t.o t.c 2>&1 | kinds > said.plain
  [ -s said.plain ] || fail "$type $value: the compiler says nothing of plain C"
  printf '#include "head.h"\n#include <fermata.h>\nasync void f(int n, double d, long l, struct pair p, const char *s) {\n  auto j = job (n, d, l, p, s) { (void)n, (void)d, (void)l, (void)p, (void)s;\n  if (n) return (%s)%s;\n  return %s;\n}; fm_job_free(j); }\n' \
    "$type" "$first" "$value" > t.c
  "$FMCC" -Wall -Wextra -Wconversion -c -o t.o t.c 2>&1 | kinds > said.job
  diff said.plain said.job || fail "$type $value: differs from plain C"
done << 'END'
int "text"
int s
int d
int l
char n
char* s
char* n
float d
END
