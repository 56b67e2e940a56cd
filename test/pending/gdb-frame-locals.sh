#!/usr/bin/env bash
# gdb prints locals that live in the frame (arrays, address-taken, volatile) by the user's names, before and after a pause.
set -eu
command -v gdb > gdb.path || exit 77

cat > program.c << 'END'
#include <fermata.h>
static async int work(int n) {
  int array[3] = { 1, 2, 3 }, taken = 7, *p = &taken;
  volatile int v = 8;
  array[0] = n;
  yield;
  *p += array[0] + v;
  return taken;
}
async int main(void) {
  return work(4) != 19;
}
END
"$FMCC" -g -O0 -o program program.c
gdb -nx -batch -ex 'break program.c:5' -ex 'break program.c:8' -ex run -ex 'print array' -ex 'print taken' -ex 'print v' -ex 'print *p' \
  -ex continue -ex 'print array' -ex 'print taken' -ex 'print v' -ex 'print *p' ./program > out 2>&1 || { cat out; exit 1; }
for want in '$1 = {1, 2, 3}' '$2 = 7' '$3 = 8' '$4 = 7' '$5 = {4, 2, 3}' '$6 = 19' '$7 = 8' '$8 = 19'; do
  grep -q -F -x -e "$want" out || { echo "not found: $want"; cat out; exit 1; }
done
