#!/usr/bin/env bash
# A recursion of async functions that does not end is reported, with its function and place, whether it pauses or not.
set -eu
fail() { echo "FAIL: $*"; cat err; exit 1; }
cat > program.c << 'END'
#include <fermata.h>
#include <stdlib.h>
static async int down(int n) {
  return down(n + 1) + 1; // line 4
}
static async int slowly(int n) {
  yield;
  return slowly(n + 1) + 1; // line 8
}
static async int large(int n) {
  char room[5000];
  room[n % 5000] = 1;
  yield;
  return large(n + 1) + room[n % 5000]; // line 14
}
static async int odd(int n);
static async int even(int n) {
  yield;
  return odd(n + 1) + 1; // line 19
}
static async int odd(int n) {
  return even(n + 1) + 1; // line 22
}
static async int bounded(int n) {
  yield;
  return n ? bounded(n - 1) + 1 : 0;
}
static async int tail(int n) {
  yield;
  if (!n)
    return 7;
  return tail(n - 1);
}
async int main(int argc, char **argv) {
  int which = argc > 1 ? atoi(argv[1]) : 0;
  switch (which) {
  case 1:
    return down(0);
  case 2:
    return slowly(0);
  case 3:
    return large(0);
  case 4:
    return even(0);
  case 5:
    printf("%d\n", bounded(5000));
    return 0;
  default:
    printf("%d\n", tail(200000));
    return 0;
  }
}
END
"$FMCC" -g -O1 -w -o program program.c
export FERMATA_DEPTH=20000
while read -r which name; do
  status=0
  ./program "$which" > out 2> err || status=$?
  [ "$status" = 1 ] || fail "$which: status $status"
  grep -q "^fermata: a recursion of $name is [0-9]* calls deep" err || fail "$which: wanted $name"
done << 'END'
1 down (program.c:4)
2 slowly (program.c:8)
3 large (program.c:14)
4 .*program.c:.*
END
[ "$(./program 5)" = 5000 ] || fail 'a recursion that ends'
[ "$(./program 6)" = 7 ] || fail 'tail calls'
[ "$(FERMATA_DEPTH=off ./program 5)" = 5000 ] || fail 'off'
! FERMATA_DEPTH=deep ./program 5 > out 2> err || fail 'a bad value was taken'
grep -q FERMATA_DEPTH err || fail 'no message'
