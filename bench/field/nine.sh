#!/usr/bin/env bash
# nine.sh PROGRAM WORK: instructions of each of nine.c's kinds for one more of it: what 20,000 take
# more than 10,000, by callgrind. (The first thousands differ: pages are touched, slices end.)
set -eu
program=$1 work=$2

count() { # KIND N
  local log=$work/nine.$$.log
  FERMATA_TICK=off valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$log" \
    "$program" "$1" "$2" ||
    { cat "$log" >&2; exit 1; }
  awk '/Collected/ { print $NF }' "$log"
  rm -f "$log"
}

for kind in yield chan spawn; do
  for which in "$kind" "${kind}_nine"; do
    few=$(count "$which" 10000) many=$(count "$which" 20000)
    awk -v name="$which" -v a="$few" -v b="$many" 'BEGIN { print name, (b - a) / 10000 }'
  done
done
