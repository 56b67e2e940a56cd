#!/usr/bin/env bash
# valgrind has nothing to say about programs that pause, spawn, recurse, unwind and wait atomically.
set -eu
command -v valgrind > valgrind.path || exit 77

for name in async-locals-arrays async-tasks async-atomic-in-contained async-detached-at-the-end async-kept-task-not-awaited; do
  [ -f "$SRC/test/run/$name.c" ] || continue      # it may be pending
  "$FMCC" -g -O1 -w -I"$SRC/test/run" -o program "$SRC/test/run/$name.c"
  status=0
  FERMATA_TICK=off valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite ./program > out 2> err || status=$?
  [ "$status" = 0 ] || { echo "$name: exit status $status"; cat err; exit 1; }
  sed -n 's|.*// expect: \{0,1\}||p' "$SRC/test/run/$name.c" | diff - out
done

# What valgrind does not know it says once, and not at each wait.
cat > sleeps.c << 'END'
#include <fermata.h>
#include <fermata/time.h>
async int main(void) {
  for (int i = 0; i < 20; i++) fm_sleep(2);
  return 0;
}
END
"$FMCC" -g -o program sleeps.c
valgrind -q ./program 2> err
[ "$(grep -c 'unhandled.*syscall' err)" -le 1 ] || { cat err; exit 1; }
