#!/usr/bin/env bash
# --list-yields prints every place where a function can be interrupted, and why; --frame-report each frame's size and contents.
set -eu

cat > program.c << 'END'
#include <fermata.h>
int plain(int);
async int f(int x) {
  int array[3] = { x };
  plain(1);
  yield;
  int n = f(2);
  n += x * 2;
  n += await f(3);
  atomic n += f(4);
  return n + array[0];
}
async void g(task(int) t) {
  await t;
}
int h(int x) { return plain(x); }
END

fail() {
  echo "$1"
  cat out
  exit 1
}
lines() { sed -n 's|^program\.c:\([0-9]*\):[0-9]*: .*|\1|p' out | sort -nu | tr '\n' ' '; }

"$FMCC" --list-yields program.c > out
[ "$(lines)" = '5 6 7 9 14 ' ] || [ "$(lines)" = '5 6 7 9 10 14 ' ] || fail "the lines that can be interrupted are not these: $(lines)"
grep -q '^program.c:5:3: f: .*auto' out || fail "line 5: automatic"
grep -q '^program.c:6:3: f: .*yield' out || fail "line 6: yield"
grep -q '^program.c:7:11: f: .*call' out || fail "line 7: call"
grep -q '^program.c:14:3: g: ' out || fail "line 14"

"$FMCC" --list-yields -fauto-yield=off program.c > out
[ "$(lines)" = '6 7 9 14 ' ] || fail "-fauto-yield=off: $(lines)"

"$FMCC" --frame-report program.c > out
grep -q 'program.c:3:11: f: .*[0-9] bytes' out || fail "f"
grep -q 'program.c:13:12: g: .*[0-9] bytes' out || fail "g"
grep -q 'array' out || fail "what is in it"
! grep -q ' h:' out || fail "h is not async"
