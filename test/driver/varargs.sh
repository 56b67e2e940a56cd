# Async functions with `...`: -Wformat, sentinels and what else the compiler knows of variable arguments is said as in plain C.
. "$SRC/test/driver/common.bash"
cat > body.c <<'END'
#include <stdarg.h>
#include <stdio.h>
#ifdef PLAIN
#define async
#define yield
#else
#include <fermata.h>
#endif
async int say(int fd, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
async int list(int first, ...) __attribute__((sentinel));
async int say(int fd, const char *fmt, ...) {
  char b[100];
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(b, sizeof b, fmt, ap);
  va_end(ap);
  yield;
  return printf("%d %s", fd, b, n);
}
async int fixed(int n) {
  yield;
  say(1, "%s", n);
  say(n, "%ld", 1);
  say(2, "%d", 1, 2);
  list(1, "x", 2);
  return say(3, "y");
}
END
diagnostics() { sed -n 's/^\(body.c:[0-9]*:[0-9]*: [a-z]*: .*\)/\1/p' | sort; }
for o in -O0 -O2; do
  $CC -DPLAIN $o -Wall -Wextra -c body.c -o plain.o 2>&1 | diagnostics > want || true
  "$FMCC" $o -Wall -Wextra -c body.c -o async.o 2>&1 | diagnostics > got || true
  [ "$(wc -l < want)" -ge 5 ] || { cat want; fail "expected plain C to have more to say"; }
  same "diagnostics $o" want got
done

# Clean ones are silent, and so is their debug build.
sed -e '/^async int fixed/,$d' -e 's/, b, n)/, b) + n/' body.c > clean.c
for o in -O0 '-O0 -g' -O2; do
  status 0 "$FMCC" $o -Wall -Wextra -Werror -c clean.c
  [ ! -s err ] || { cat err; fail "expected silence"; }
done

# The symbols: no function that begins it.
nm clean.o > symbols
has symbols say__fm_call
has symbols say__fm_atomic
lacks symbols say__fm_start
