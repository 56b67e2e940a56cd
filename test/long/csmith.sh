#!/usr/bin/env bash
# csmith.sh [N [FIRST]]: N programs that csmith generates (seeds FIRST…, from 1; N is 500 when not given) print the same
# checksum when compiled through fmcc as when compiled by the C compiler itself, at -O1, with gcc and with clang.
# A program that does not end within its time with the C compiler either is skipped.
# Environment: FMCC, JOBS, CCS ("gcc clang"), MODE (reprint). Ends with `N passed, M failed`.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/test/lib/pool.sh"
export FMCC=${FMCC:-$root/build/bin/fmcc} MODE=${MODE:-reprint}
export RUN_SECONDS=${RUN_SECONDS:-10}

include_dir() {
  local dir
  for dir in /usr/include/csmith /usr/include/csmith-* /usr/local/include/csmith*; do
    [ ! -f "$dir/csmith.h" ] || { echo "$dir"; return; }
  done
  echo "csmith.sh: no csmith.h" >&2
  exit 77
}

run_program() {
  local status=0
  { timeout "$RUN_SECONDS" "./$1" > "$1.out" 2>&1; } 2> /dev/null || status=$?
  echo "status $status" >> "$1.out"
}

one() {
  local cc seed
  read -r cc seed <<< "$1"
  csmith --seed "$seed" --output program.c
  "$cc" -O1 -w -I"$INCLUDE" -o plain program.c
  run_program plain
  ! grep -q '^status 124' plain.out || exit 77
  "$FMCC" --cc="$cc" --translate="$MODE" -O1 -w -I"$INCLUDE" -o ours program.c
  run_program ours
  diff plain.out ours.out
}

main() {
  local n=${1:-500} first=${2:-1} cc dir=$root/build/test/csmith.$$ status=0
  pool_needs "$FMCC"
  command -v csmith >/dev/null || { echo "csmith.sh: csmith is not installed" >&2; exit 77; }
  INCLUDE=$(include_dir)
  export INCLUDE
  for cc in ${CCS:-gcc clang}; do seq -f "$cc %.0f" "$first" $((first + n - 1)); done |
    pool_run "$dir" 120 bash "$root/test/long/csmith.sh" --one
  pool_summary "$dir" || status=1
  [ -n "${KEEP:-}" ] || rm -rf "$dir"
  exit $status
}

if [ "${1:-}" = --one ]; then one "$2"; else main "$@"; fi
