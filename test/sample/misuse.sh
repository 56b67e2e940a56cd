#!/usr/bin/env bash
# Mistakes that are found at run time name the line of the program, also in plain functions and in atomic code.
set -eu
fail() { echo "FAIL: $*"; exit 1; }
cat > program.c << 'END'
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <stdlib.h>

static fm_mutex m;
static void release(void) {
  fm_unlock(&m); // line 8
  printf("released\n");
}
static async void work(int which) {
  if (which & 1)
    fm_sleep(1);
  if (which < 2)
    fm_unlock(&m); // line 15
  release(); // line 16
  printf("worked\n");
}
static async void locks(void) {
  fm_lock(&m);
}
async int main(int argc, char **argv) {
  int which = argc > 1 ? atoi(argv[1]) : 0;
  task(int) none = { 0 };
  fm_wait_group g;
  fm_wait_group_init(&g);
  switch (which) {
  case 4:
    await none; // line 29
    break;
  case 5:
    fm_all(&none, 1); // line 32
    break;
  case 6:
    fm_wait_group_done(&g); // line 35
    break;
  case 7:
    atomic { fm_unlock(&m); } // line 38
    break;
  case 8: {
    job(int) j = { 0 };
    await j; // line 42
    break;
  }
  case 9: {
    auto t = spawn locks();
    auto u = t;
    await t;
    await u; // line 49
    break;
  }
  case 10: {
    auto t = spawn locks();
    fm_sleep(1);
    await t;
    spawn in(fm_id(t)) locks(); // line 56
    break;
  }
  case 11: {
    auto t = spawn fm_sleep(5);
    scope (s)
      fm_deadline(fm_id(t), 5); // line 62
    await t;
    break;
  }
  case 12:
    spawn on((fm_domain *)NULL) locks(); // line 67
    break;
  default:
    work(which); // line 70
  }
  return 0;
}
END
for options in -O0 -O2; do
  "$FMCC" -g -w $options -o program program.c
  while read -r which want; do
    status=0
    FERMATA_DRIVER=virtual ./program "$which" > out 2>&1 || status=$?
    [ "$status" = 1 ] || fail "$options $which: status $status: $(cat out)"
    [ "$(grep -o 'program.c:[0-9]*' out | head -1)" = "program.c:$want" ] ||
      fail "$options $which: wanted line $want: $(cat out)"
    grep -q '^fermata: ' out || fail "$which: $(cat out)"
  done << 'END'
0 15
1 15
2 8
3 8
4 29
5 32
6 35
7 38
8 42
9 49
10 56
11 62
12 67
END
done
FERMATA_DRIVER=virtual ./program 3 > out 2>&1 || true
grep -q 'at program.c:70 in main' out || fail "callers are missing: $(cat out)"
FERMATA_DRIVER=virtual ./program 4 > out 2>&1 || true
grep -q 'await of a task that is zero' out || fail "$(cat out)"

# Without symbols there are fewer names, but no crash.
strip program
! FERMATA_DRIVER=virtual ./program 3 > out 2>&1 || fail 'no failure'
grep -q '^fermata: fm_unlock of a mutex that is not locked' out || fail "$(cat out)"
