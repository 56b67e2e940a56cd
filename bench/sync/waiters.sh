#!/usr/bin/env bash
# waiters.sh PROGRAM WORK [FROM TO]...: instructions of each of waiters.c's kinds for one more
# waiter: what TO of them take more than FROM, by callgrind, divided.
set -eu
program=$1 work=$2
shift 2
[ $# -gt 0 ] || set -- 100 1000 10000 20000

count() { # KIND N
  local log=$work/waiters.$$.log
  FERMATA_TICK=off FERMATA_DRIVER=virtual valgrind --tool=callgrind \
    --callgrind-out-file=/dev/null --log-file="$log" "$program" "$1" "$2" ||
    { cat "$log" >&2; exit 1; }
  awk '/Collected/ { print $NF }' "$log"
  rm -f "$log"
}

while [ $# -gt 1 ]; do
  for kind in channel semaphore permits mutex cond condfor broadcast latest oneshot group limiter; do
    few=$(count $kind "$1") many=$(count $kind "$2")
    awk -v name=$kind -v a="$1" -v b="$2" -v few="$few" -v many="$many" \
      'BEGIN { printf "%s_%d %.0f\n", name, b, (many - few) / (b - a) }'
  done
  shift 2
done
