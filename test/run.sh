#!/usr/bin/env bash
# run.sh: finds and runs the tests, in parallel. A test is one file in one of the folders below; README.md says what each
# holds. Environment: T (an extended regular expression on the test's name), JOBS, KEEP=1 (keep the
# directories of tests that failed), WAYS=all (see thin), FMCC, FMCC_ASAN, BUILD_CC (the compiler that built build/asan).
# Ends with `N passed, M failed`; the exit status is 0 when nothing failed.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/test/lib/pool.sh"

export SRC=$root
export FMCC=${FMCC:-$root/build/bin/fmcc}
export FMCC_ASAN=${FMCC_ASAN:-$root/build/asan/bin/fmcc}
export BUILD_CC=${BUILD_CC:-gcc}
export LC_ALL=C
unset CC CFLAGS CPPFLAGS LDFLAGS MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES CPATH C_INCLUDE_PATH GCC_COLORS

# Prints `FOLDER/FILE WAY` for every file of a folder (of $dir, or else of the tests) and each of the ways given.
list() {
  local folder=$1 suffix=$2 file way
  shift 2
  for file in "${dir:-$root/test}/$folder/"*"$suffix"; do
    [ -f "$file" ] || continue
    for way in "$@"; do echo "$folder/${file##*/}${way:+ $way}"; done
  done
}

# The compilers and options that a program of test/run is tried with, each in two translation modes.
run_ways() {
  local mode
  for mode in auto reprint; do
    printf '%s\n' "gcc -O0 $mode" "gcc -O2 $mode" "clang -O2 $mode" "gcc -O1,asan $mode"
  done
}

# What uses the dialect goes through the tree in every mode: it need not be reprinted.
needless='^run/(async|error|direct|awaitable|posix|driver)[-.].* reprint$'

# What uses the dialect is tried with ASan, and with -O2 by gcc or by clang, as the length of its name has it, and a quarter of it without -O; in all ways with
# WAYS=all, as the long tests do.
thin() {
  local job name
  while read -r job; do
    name=${job%% *}
    if [ "${WAYS:-}" != all ] && [[ $job =~ ^run/(async|error|direct|awaitable|posix|driver)[-.] ]]; then
      case "$((${#name} % 4)) ${job#* }" in
        [123]" gcc -O0 auto" | [13]" gcc -O2 auto" | [02]" clang -O2 auto") continue ;;
      esac
    fi
    echo "$job"
  done
}

# What takes longest comes first.
list_all() {
  local ways
  mapfile -t ways < <(run_ways)
  list sample .sh gcc clang
  list stress .c ''
  list driver .sh gcc clang
  list unit .c ''
  dir=$root list examples .c 'gcc -O2 auto' 'clang -O2 auto' 'gcc -O1,asan auto'
  list run .c "${ways[@]}" | grep -v -E "$needless" | thin
  list reject .c ''
  list emit .c ''
  list fuzz-found .i ''
}

main() {
  local jobs results=$root/build/test/$$ status=0
  pool_needs "$FMCC"
  jobs=$(list_all | grep -E -e "${T:-.}" || true)
  if [ -z "$jobs" ]; then
    echo "run.sh: no test matches '${T:-}'" >&2
    echo "0 passed, 0 failed"
    exit 1
  fi
  pool_run "$results" 600 bash "$root/test/lib/test.sh" <<< "$jobs"
  pool_summary "$results" || status=1
  [ -n "${KEEP:-}" ] || rm -rf "$results"
  exit $status
}

main
