#!/usr/bin/env bash
# fmcc -fsanitize=atomicity: the example of docs/atomicity.md prints what the page shows; half of
# the mistakes of test/atomicity are found, and their mended versions are not reported (gcc and
# clang take turns; all of them: test/long/atomicity.sh); settings, and what cannot be combined.
set -eu
. "$SRC/test/atomicity/try.bash"

# ---- the page ----
awk '/^    \/\/ counter.c/ { on = 1 } on && /^[^ ]/ { exit } on { print substr($0, 5) }' \
  "$SRC/docs/atomicity.md" > counter.c
awk '/^    \$ .\/counter/ { on = 1; next } /^    \$ echo/ { exit } on { print substr($0, 5) }' \
  "$SRC/docs/atomicity.md" > shown
"$FMCC" --cc="$CC" -fsanitize=atomicity counter.c -o counter
status=0
FERMATA_DRIVER=virtual ./counter > out 2>&1 || status=$?
[ $status = 66 ]
diff shown out

# ---- settings ----
with() { FERMATA_DRIVER=virtual FERMATA_ATOMICITY=$1 ./counter > out 2> err; }
with exit=0
grep -q 'an update is lost' err
status=0
with exit=3 || status=$?
[ $status = 3 ]
with exit=0,log=report
[ ! -s err ]
grep -q 'an update is lost' report.*
for pattern in 'counter.c:1*' visit visits; do
  printf '# not now\n%s\n' "$pattern" > leave
  with suppressions=leave
  [ ! -s err ]
done
status=0
with halt || status=$?
[ $status = 66 ] && [ ! -s out ]
status=0
with nonsense || status=$?
[ $status = 1 ] && grep -q 'FERMATA_ATOMICITY=nonsense: expected' err

# ---- what cannot be combined ----
for other in -fsanitize=address -fsanitize=thread -static -shared -shared-libfermata; do
  ! "$FMCC" --cc="$CC" -fsanitize=atomicity $other counter.c -o no 2> err
  grep -q "cannot be used together with $other" err
done
"$FMCC" --cc="$CC" -fsanitize=atomicity,undefined -c counter.c
"$FMCC" --cc="$CC" -fsanitize=undefined,atomicity counter.o -o both
! FERMATA_DRIVER=virtual ./both 2> err > out
grep -q 'an update is lost' err

# ---- more rules ----
cat > more.c << 'E'
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>
static int tickets = 1, count, limit;
struct { int low, high; } range = { 0, 10 };
static async void buy(void) {
  if (tickets > 0) {
    fm_sleep(1);
    tickets--;
  }
}
static async void move(int by) {
  range.low += by;
  fm_sleep(2);
  range.high += by;
}
static async void look(void) {
  fm_sleep(1);
  printf("%d\n", range.high - range.low);
}
static async void compare(void) {
  int n = count;
  fm_sleep(1);
  printf("%d\n", n < limit);
}
static async void set(void) {
  count = 7;
  limit = 9;
}
async int main(void) {
  auto a = spawn buy();
  auto b = spawn buy();
  auto c = spawn move(5);
  auto d = spawn look();
  auto e = spawn compare();
  auto f = spawn set();
  await a; await b; await c; await d; await e; await f;
  return 0;
}
E
make_program more.c -o more
run_in 0 ./more
make_program -fsanitize=atomicity-more more.c -o more
! run_in 0 ./more
grep -q 'more.c:9: .*a check is out of date: tickets' err
grep -q 'more.c:15: .*a half-done update is seen: range.low and range.high' err
grep -q 'more.c:24: .*two values of different times are used together: count and limit' err

# ---- programs that are right ----
for name in async-error-detached async-sync-channels async-activate \
            async-atomic-holds-children; do
  unchanged "$SRC/test/run/$name.c"
  ! grep 'fermata: atomicity:' err
done

# ---- mistakes ----
n=0
[ "$CC" = gcc ] || n=1
for file in "$SRC"/test/atomicity/*.c; do
  [ $((n++ % 2)) = 0 ] || continue
  finds "$file" 30
  silent "$file" 6
done
