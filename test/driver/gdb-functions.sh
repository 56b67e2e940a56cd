#!/usr/bin/env bash
# In gdb, `break f` stops where an async function begins, called, spawned or atomic, and not after its pauses.
set -eu
command -v gdb > gdb.path || exit 77
cat > program.c << 'END'
#include <fermata.h>
#include <fermata/time.h>
static async int leaf(int n) {
  int twice = n * 2;
  fm_sleep(1);
  return twice;
}
static int plain(int n) {
  return n;
}
async int main(void) {
  int a = leaf(1);
  auto t = spawn leaf(2);
  int b = await t;
  int c = atomic leaf(3);
  return plain(a + b + c) - 12;
}
END
"$FMCC" -g -O0 -o program program.c
gdb_with() {
  printf '%s\n' "$@" > commands
  "$(dirname "$FMCC")/fermata" gdb -batch -x commands ./program > out 2>&1 || true
}
gdb_with 'break main' 'break leaf' run 'echo A\n' 'bt 1' continue 'bt 1' continue 'bt 1' continue 'bt 1' continue
[ "$(grep -c '^#0 .* in leaf (\|^#0  leaf (' out)" = 3 ] || { cat out; exit 1; }
sed -n '/^A/,$p' out | grep -q '^#0 .*main () at program.c:11\|^#0 .*main (.*program.c:1[12]' || { cat out; exit 1; }
grep -q 'exited normally' out || { cat out; exit 1; }
gdb_with 'break program.c:leaf if n == 2' 'b plain if n == 12' run 'bt 1' continue 'print n' continue
grep -q '^#0 .*leaf (n=2)\|^#0 .*leaf (' out || { cat out; exit 1; }
grep -q '^\$[0-9]* = 12$' out || { cat out; exit 1; }
grep -q 'exited normally' out || { cat out; exit 1; }
gdb_with 'tbreak leaf' run 'break' 'info breakpoints'
grep -q 'leaf' out || { cat out; exit 1; }
