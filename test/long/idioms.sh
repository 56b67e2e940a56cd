#!/usr/bin/env bash
# idioms.sh [FILE…]: the idioms of test/idioms/FILE.c (all of them when none is given), each in a loop with pauses before, within and
# behind, print through fmcc what plain C prints: called, resumed and atomic, with automatic yields off and all taken.
# Environment: FMCC, JOBS, CCS ("gcc clang"), WAYS ("-O0 -O2", or "split": -O2 for every fourth file, with clang for others than
# with gcc, else -O0).
# Ends with `N passed, M failed`.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/test/lib/pool.sh"
export FMCC=${FMCC:-$root/build/bin/fmcc}

program() {                             # of a file: its idioms and a main that runs them all
  local name
  printf '#include "idiom.h"\n#include "%s.c"\n' "$1"
  echo 'async int main(void) {'
  sed -n -E 's/^IDIOM\(([a-z0-9_]+),.*/\1/p' "$root/test/idioms/$1.c" | while read -r name; do
    printf '  printf("%%s %%d\\n", "%s", %s());\n  printf("%%s %%d\\n", "%s", atomic %s());\n' "$name" "$name" "$name" "$name"
  done
  printf '  return 0;\n}\n'
}

one() {
  local cc file way tick flags
  read -r cc file way <<< "$1"
  flags="-w -D_GNU_SOURCE -I$root/test/idioms $way -o"
  program "$file" > program.c
  # shellcheck disable=SC2086
  "$cc" -DPLAIN $flags plain program.c -lm
  timeout 10 ./plain > plain.out
  # shellcheck disable=SC2086
  "$FMCC" --cc="$cc" $flags ours program.c -lm > log 2>&1 || { grep -A3 -m 12 error log || head log; exit 1; }
  for tick in off always; do
    FERMATA_TICK=$tick timeout 20 ./ours > ours.out 2> err || { echo "FERMATA_TICK=$tick: status $?"; head err; tail -n 1 ours.out; exit 1; }
    cmp -s plain.out ours.out || { echo "FERMATA_TICK=$tick:"; diff plain.out ours.out | head -20; exit 1; }
  done
}

jobs_for() {                            # compiler, then files
  local cc=$1 file way turn=0
  shift
  [ "$cc" = gcc ] || turn=2
  for file; do
    turn=$(((turn + 1) % 4))
    if [ "${WAYS:-}" != split ]; then for way in ${WAYS:--O0 -O2}; do echo "$cc $file $way"; done
    elif [ $turn = 1 ]; then echo "$cc $file -O2"
    else echo "$cc $file -O0"
    fi
  done
}

main() {
  local cc file dir=$root/build/test/idioms.$$ status=0
  pool_needs "$FMCC"
  mkdir -p "$root/build/test"
  [ $# -gt 0 ] || set -- $(cd "$root/test/idioms" && for file in *.c; do echo "${file%.c}"; done)
  for cc in ${CCS:-gcc clang}; do jobs_for "$cc" "$@"; done | pool_run "$dir" 120 bash "$root/test/long/idioms.sh" --one
  pool_summary "$dir" || status=1
  [ -n "${KEEP:-}" ] || rm -rf "$dir"
  exit $status
}

if [ "${1:-}" = --one ]; then one "$2"; else main "$@"; fi
