# A plain C program is compiled by the compiler itself: same bytes, same warnings, one process.
. "$SRC/test/driver/common.bash"
cat > a.c <<'C'
#include <stdio.h>
#define TWICE(x) ((x) + (x))
static int unused;
int f(int x) {
  switch (x) {
  case 1: x++; /* fall through */
  case 2: return TWICE(x) == "a";
  }
  return 0;
}
int main(void) { printf("%d\n", f(0)); return 0; }
C
for flags in "" "-O2 -g3 -Wall -Wextra" "-Os -fPIC -std=gnu99" "-Wall -pedantic -fanalyzer"; do
  if is_clang; then flags=${flags/-fanalyzer/}; fi
  "$FMCC" $flags -c a.c -o x.o 2> got
  mv x.o ours.o
  $CC $flags -c a.c -o x.o 2> want
  same "warnings $flags" got want
  same "object $flags" ours.o x.o
  "$FMCC" $flags a.c -o prog 2> /dev/null; mv prog ours
  $CC $flags a.c -o prog 2> /dev/null
  same "program $flags" ours prog
done
# The compiler replaces fmcc: what runs last has fmcc's process number.
cat > cc-sh <<'S'
#!/bin/sh
case " $* " in *" -E "*) exec "$REAL" "$@";; esac
echo $$ > pid
exec "$REAL" "$@"
S
chmod +x cc-sh
REAL=$CC "$FMCC" --cc=./cc-sh -c a.c 2> /dev/null & mine=$!
wait $mine || fail "compiling through a script failed"
[ "$(cat pid)" = $mine ] || fail "expected the compiler in process $mine, got $(cat pid)"
# Errors, too, are the compiler's.
echo 'int f(void) { return x; }' > bad.c
status 1 $CC -c bad.c; mv err want
status 1 "$FMCC" -c bad.c; same "error messages" err want
printf '#include "nosuch.h"\nint x;\n' > bad.c
$CC -c bad.c 2> want || true
status 1 "$FMCC" -c bad.c; same "missing header" err want
