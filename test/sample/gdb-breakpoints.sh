#!/usr/bin/env bash
# A breakpoint on a line of the user stops only in the function that line belongs to: no generated helper claims it.
set -eu
command -v gdb > gdb.path || exit 77

cat > program.c << 'END'
#include <fermata.h>
static async int work(int n) {
  int local = n * 10;
  yield;
  return local;
}
async int main(void) {
  int result = work(4);
  yield;
  printf("%d\n", result);
  return 0;
}
int last(void) {
  return 1;
}
END
"$FMCC" -g -O0 -o program program.c
for line in 8 9 10 11 14; do
  gdb -nx -batch -ex "break program.c:$line" -ex 'info breakpoints' ./program > out 2>&1
  case $line in 14) owner=last ;; *) owner=main ;; esac
  ! grep ' in ' out | grep -v -E " in $owner(__fm_(call|resume|atomic|body))? at " || { echo "line $line"; exit 1; }
done
