#!/usr/bin/env bash
# places.sh [N [FIRST]]: N programs of test/gen-places (seeds FIRST…, from 1; N is 500 when not given) print the same through fmcc as
# plain C does: random expressions of every operator in every place where one may stand, called, resumed and atomic, with automatic
# yields off and all taken.
# Environment: FMCC, JOBS, CCS ("gcc clang"), WAYS ("-O0 -O2"). Ends with `N passed, M failed`.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/test/lib/pool.sh"
export FMCC=${FMCC:-$root/build/bin/fmcc} WAYS=${WAYS:--O0 -O2}
export GEN=${GEN:-}

try_way() {
  local tick
  "$FMCC" --cc="$cc" "$1" -w -o ours program.c > log 2>&1 || { grep -A3 -m 4 error log || head log; return 1; }
  for tick in off always; do
    FERMATA_TICK=$tick timeout 10 ./ours > ours.out 2> err || { echo "$1, FERMATA_TICK=$tick: status $?"; head err; return 1; }
    cmp -s plain.out ours.out || { echo "$1, FERMATA_TICK=$tick:"; diff plain.out ours.out | head -8; return 1; }
  done
}

one() {
  local seed way
  read -r cc seed <<< "$1"
  "$GEN" "$seed" > program.c
  "$cc" -DPLAIN -O1 -w -o plain program.c
  timeout 10 ./plain > plain.out
  for way in $WAYS; do try_way "$way" || exit 1; done
}

main() {
  local n=${1:-500} first=${2:-1} cc dir=$root/build/test/places.$$ status=0
  pool_needs "$FMCC"
  GEN=$dir.gen
  mkdir -p "$root/build/test"
  "${BUILD_CC:-cc}" -O1 -o "$GEN" "$root/test/gen-places/gen.c"
  for cc in ${CCS:-gcc clang}; do seq -f "$cc %.0f" "$first" $((first + n - 1)); done |
    pool_run "$dir" 120 bash "$root/test/long/places.sh" --one
  pool_summary "$dir" || status=1
  rm -f "$GEN"
  [ -n "${KEEP:-}" ] || rm -rf "$dir"
  exit $status
}

if [ "${1:-}" = --one ]; then one "$2"; else main "$@"; fi
