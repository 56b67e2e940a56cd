#!/usr/bin/env bash
# Every program of bench/ in C and C++20 is built without a warning, works for a moment, and finds
# its own result right; each row of the tables has figures. No time is looked at. Left out are
# cJSON and expat, which take long to compile, and the peers in other languages, RxJS too. clang is
# for WAYS=all.
. "$SRC/test/driver/common.bash"
command -v g++ > /dev/null || exit 77
! is_clang || [ "${WAYS:-}" = all ] || exit 77
BENCH_MOMENT=1 ROUNDS=1 PEERS=no LIBRARIES=none CCS=$CC WORK=$PWD/work "$SRC/bench/run.sh" > table 2> log || {
  tail -n 20 log
  fail "bench/run.sh"
}
! grep -n warning log || fail "warnings"

# How many rows there are to be; those that do not name a compiler by @ are measured with gcc alone.
cat "$SRC/bench/bars" "$SRC/bench/field/bars" | grep -vE '^(#|==)' > rows
sed -i '/^expat,/d; /^cJSON,/d; /^3000 pausing/d; /rxjs/d' rows
! is_clang || sed -i '/@/!d' rows
cut -d'|' -f1 rows | sed 's/ *$//' > wanted
sed -n 's/^| \(.*\)/\1/p' table | cut -d'|' -f1 | sed 's/ *$//' | grep -vxE -e '---|what' > shown
diff wanted shown || fail "rows without figures"
