# gdb without any help: locals that live in the frame are found under their names, as pointers, before and after a pause; others
# have their values, also those that are not needed any more and those that share a name.
. "$SRC/test/driver/common.bash"
need gdb
cat > program.c << 'END'
#include <fermata.h>
#include <time.h>
static async int work(int n, int m) {
  int array[3] = { 1, 2, 3 }, taken = 7, *p = &taken;
  volatile int v = 8;
  struct { int a, b; } pair = { 5, m }, *q = &pair;
  array[0] = n;
  yield;
  *p += array[0] + v;
  return taken + q->a;
}
static async int names(int n) {
  int time = 3, *pn = &n, vla[n];
  for (int i = 0; i < n; i++) { vla[i] = i; }
  yield;
  for (int i = 0; i < 2; i++) {
    yield;
    vla[0] += i;
  }
  for (int i = 5; i < 6; i++) {
    yield;
    vla[0] += i;
  }
  return *pn + vla[0];
}
async int main(void) {
  return work(4, 6) + names(3) != 33;
}
END
"$FMCC" -g -Wall -Wextra -Wno-unused-variable -Wshadow -o program program.c 2> err || { cat err >&2; fail "it does not compile"; }
[ ! -s err ] || { cat err >&2; fail "with -g it warns"; }
./program || fail "with -g it does something else"
debug() {                                         # LINE COMMANDS…: in the last stop there; out: what is printed
  local line=$1; shift
  local args=()
  for c; do args+=(-ex "$c"); done
  timeout 60 gdb -nx -batch -ex 'set confirm off' -ex "break program.c:$line" -ex run "${args[@]}" ./program > log 2>&1 || { cat log >&2; fail gdb; }
  ! grep -q ptrace log || { echo "SKIP: gdb may not trace"; exit 77; }
  grep -a '^\$' log > out || { cat log >&2; fail "line $line: nothing is printed"; }
}
printed() {                                       # the values, in order
  printf '%s\n' "$@" > want
  sed 's/^\$[0-9]* = //' out > got
  same "values" got want
}
debug 7 'print *array@3' 'print *taken' 'print *v' 'print *p' 'print pair.b' 'print n'
printed '{1, 2, 3}' 7 8 7 6 4
debug 9 'print *array@3' 'print array[0]' 'print *taken' 'print *v' 'print *p' 'print pair.b' 'print n' 'print m'
printed '{4, 2, 3}' 4 7 8 7 6 4 6
debug 18 'print i' 'print time' 'print *n' 'print vla[2]' 'continue' 'print i'
printed 0 3 3 2 1
debug 22 'print i' 'print time'
printed 5 3
