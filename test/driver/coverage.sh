# gcov's counts of async functions: at the user's lines, and in files that exist.
. "$SRC/test/driver/common.bash"
gcov=gcov
if is_clang; then version=$(clang -dumpversion); gcov="llvm-cov-${version%%.*} gcov"; command -v "${gcov% *}" > /dev/null || { echo "SKIP: no llvm-cov"; exit 77; }; fi
need "${gcov% *}"
cat > c.c <<'A'
#include <fermata.h>
static async int leaf(int x) {
  if (x > 5)
    return 1;                           // 4 times
  yield;
  return x;                             // 6 times
}
static async int never(int x) {
  yield;                                // never
  return x + 1;
}
async int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += leaf(i);                     // 10 times, and again after 6 pauses
  if (sum == 7)
    sum = never(3);                     // not run
  return 0;
}
A
"$FMCC" --coverage -O0 c.c -o c; ./c; present c.gcno c.gcda
$gcov c.gcda > log 2>&1 || fail "$(cat log)"
lacks log '<fermata>'; lacks log 'annot open'; has log "File 'c.c'"
count() { grep -m1 ": *$1:" c.c.gcov | sed 's/^ *\([0-9#-]*\).*/\1/'; }
is() { [ "$(count "$1")" = "$2" ] || { cat c.c.gcov; fail "line $1: $(count "$1"), expected $2"; }; }
is 4 4; is 6 6; is 9 '#####'; is 10 '#####'; is 17 '#####'; is 13 1; is 15 16
