#!/usr/bin/env bash
# A deadlock ends the program with status 1 and a report: each activity, its name, where it waits, for what, and its backtrace;
# in an atomic, too. So do mistakes with handles.
set -eu

"$FMCC" -g -I"$SRC/test/run" -x c -o whole - << 'END'
#include <fermata.h>
static task(int) a, b;
static async int inner(void) {
  return 1 + await b;
}
static async int first(void) { return 2 + inner(); }
static async int second(void) {
  fm_set_name(fm_self(), "the second");
  yield;
  return 3 + await a;
}
static fm_activity id;
static async void joins(void) { fm_join(id); }
async int main(void) {
  a = spawn first();
  b = spawn now second();
  id = fm_self();
  printf("before\n");
  spawn joins();
  joins();
  printf("after\n");
}
END
"$FMCC" -g -x c -o held - << 'END'
#include <fermata.h>
static async int slow(void) {
  yield;
  yield;
  return 3;
}
static async int waits(task(int) t) { return await t; }
async int main(void) {
  auto t = spawn slow();
  yield;
  return atomic waits(t);
}
END
"$FMCC" -g -x c -o self - << 'END'
#include <fermata.h>
static task(int) t;
static async int narcissus(void) { return await t; }
async int main(void) {
  t = spawn narcissus();
}
END
"$FMCC" -g -x c -o stale - << 'END'
#include <fermata.h>
static async int f(void) { return 3; }
static async int twice(task(int) t) {
  int n = await t;
  return n + await t;
}
async int main(void) {
  int n = twice(spawn f());
  return n;
}
END
"$FMCC" -g -x c -o nested - << 'END'
#include <fermata.h>
static async int f(void) { return 3; }
static int plain(void) {
  return run f();
}
async int main(void) { return plain(); }
END

fail() {
  echo "$1"
  cat out err
  exit 1
}
fails() {
  local status=0
  timeout 10 "./$1" > out 2> err || status=$?
  [ "$status" = 1 ] || fail "$1: exit status $status, expected 1"
}
says() { grep -q -E -e "$1" err || fail "not said: $1"; }

fails whole
[ "$(cat out)" = before ] || fail "standard output"
says 'deadlock'
says 'first.*waits.*:4.*the second'
says 'the second.*waits.*:10.*first'
says 'main.*waits.*:13.*main'
says ':4 in inner'
says ':6 in first'
says ':10 in second'
says ':13 in joins'
says ':20 in main'

fails held
says 'deadlock.*atomic'
says 'main.*atomic.*slow'
says 'slow.*held'

fails self
says 'deadlock'
says 'narcissus.*waits.*:3.*narcissus'

fails stale
says 'await'
says ':5 in twice'
says ':8 in main'

fails nested
says 'run.*activity'
says 'main'
