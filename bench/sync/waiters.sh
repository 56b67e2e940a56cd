#!/usr/bin/env bash
# waiters.sh PROGRAM WORK [N]...: instructions of each of waiters.c's kinds for one more waiter:
# what each N takes more than the one before, by callgrind, divided. For a moment (BENCH_MOMENT) the
# program only runs.
set -eu
program=$1 work=$2
shift 2
[ $# -gt 0 ] || set -- 100 1000 20000
export FERMATA_TICK=off FERMATA_DRIVER=virtual

count() { # KIND N
  local log=$work/waiters.$$.log
  if [ -n "${BENCH_MOMENT:-}" ]; then
    "$program" "$1" "$2"
    echo "$2"
    return
  fi
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$log" \
    "$program" "$1" "$2" ||
    { cat "$log" >&2; exit 1; }
  awk '/Collected/ { print $NF }' "$log"
  rm -f "$log"
}

for kind in channel semaphore permits mutex cond condfor broadcast latest oneshot group limiter; do
  before=
  for n; do
    now=$(count $kind "$n")
    [ -z "$before" ] || awk -v name=$kind -v a="$last" -v b="$n" -v few="$before" -v many="$now" \
      'BEGIN { printf "%s_%d %.0f\n", name, b, (many - few) / (b - a) }'
    before=$now last=$n
  done
done
