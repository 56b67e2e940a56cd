#!/usr/bin/env bash
# run.sh: all long tests, one after the other (each uses every core), and at the end how many of them passed.
# Environment: T (an extended regular expression on the script's name), JOBS, FMCC, CSMITH, RANDOM_PROGRAMS, LEAVE (how many programs: 500,
# 2000, 2000).
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
unset CC CFLAGS CPPFLAGS LDFLAGS MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES CPATH C_INCLUDE_PATH GCC_COLORS
export LC_ALL=C
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0 failed=0 skipped=0

# Adds the figures of the last `N passed, M failed[, K skipped]` line; a script that ends without one has failed.
add() {
  local n m k
  read -r n _ m _ k _ < <(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
  if [ -z "${n:-}" ]; then
    if [ "$1" = 77 ]; then skipped=$((skipped + 1)); else failed=$((failed + 1)); fi
    return 0
  fi
  passed=$((passed + n)) failed=$((failed + m)) skipped=$((skipped + ${k:-0}))
}

step() {
  local status=0
  [[ "$*" =~ ${T:-.} ]] || return 0
  echo "==== $*"
  "$@" 2>&1 | tee "$log" || true
  status=${PIPESTATUS[0]}
  add "$status"
}

T='' WAYS=all step test/run.sh
step test/long/alloc.sh
step test/long/atomicity.sh
step test/long/editors.sh
step test/long/explore.sh
step test/long/identical.sh
step test/long/packages.sh
step test/long/places.sh
step test/long/readable.sh
step test/long/idioms.sh
step test/long/sync.sh
step test/long/io.sh
step test/long/sanitizers.sh
step test/long/oracle.sh "${ORACLE_PROGRAMS:-100000}"
step test/long/random.sh "${RANDOM_PROGRAMS:-2000}"
step test/long/diagnostics.sh
step test/long/leave.sh "${LEAVE:-2000}"
step test/long/csmith.sh "${CSMITH:-500}"
step test/long/torture.sh
step test/long/all-async.sh
step test/long/wasm.sh

if [ "$skipped" = 0 ]; then echo "$passed passed, $failed failed"
else echo "$passed passed, $failed failed, $skipped skipped"
fi
[ "$failed" = 0 ]
