#!/usr/bin/env bash
# run.sh: finds and runs the tests, in parallel. A test is one file in one of the folders below;
# README.md says what each holds. --list prints the tests instead, --needs what has to be built.
# Environment: T (an extended regular expression on the test's name, or `quick`: see quick below),
# JOBS, KEEP=1 (keep the directories of tests that failed), WAYS=all (see thin), FMCC, FMCC_ASAN,
# BUILD_CC (the compiler that built build/asan).
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

# What uses the dialect is tried with -O2 by gcc or by clang, a third of it with ASan, and a quarter
# without -O, as a hash of its name has it; in all ways with WAYS=all, as the long tests do.
thin() {
  if [ "${WAYS:-}" = all ]; then cat; else hashed | awk '
    { hash = $1; sub(/^[0-9]+ /, "") }
    !/^run\/(async|error|direct|awaitable|posix|driver)[-.]/ { print; next }
    / gcc -O0 auto$/ && hash % 4 != 0 { next }
    / gcc -O2 auto$/ && hash % 2 != 0 { next }
    / clang -O2 auto$/ && hash % 2 == 0 { next }
    / gcc -O1,asan auto$/ && hash % 3 != 0 { next }
    { print }'
  fi
}

# Puts before each job a hash of the name of its file, the same for all ways of it.
hashed() {
  awk 'BEGIN { for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i }
    {
      hash = 7
      for (i = 1; i <= length($1); i++) hash = (hash * 131 + code[substr($1, i, 1)]) % 1000003
      print hash, $0
    }'
}

# T=quick: under two minutes on two cores, and something of every kind. Tests that take a moment
# (reject, emit, fuzz-found) are all in it; of the others every n-th file, in one of its ways.
quick() {
  hashed | awk '
    BEGIN { every["run"] = 4; every["unit"] = 2; every["stress"] = 12; every["driver"] = 8
            every["sample"] = 12; every["examples"] = 5 }
    {
      hash = $1
      sub(/^[0-9]+ /, "")
      kind = $1
      sub(/\/.*/, "", kind)
      n = kind in every ? every[kind] : 1
      if (int(hash / 8) % n != 0) next
      if ($1 != file) { flush_file(); file = $1; count = 0; chosen = hash }
      ways[count++] = $0
    }
    function flush_file() { if (count > 0) print ways[int(chosen / 4096) % count] }
    END { flush_file() }'
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

chosen() {
  if [ "${T:-}" = quick ]; then list_all | quick
  else list_all | grep -E -e "${T:-.}" || true
  fi
}

# Prints what these tests need beside `make all`: targets of the Makefile.
needs() {
  local jobs scripts
  jobs=$(chosen)
  ! grep -q -E '^(unit|fuzz-found|examples)/' <<< "$jobs" || echo asan
  ! grep -q -E '^stress/|,asan' <<< "$jobs" || echo build/lib/libfermata-asan.a
  ! grep -q -E '^sample/(wasm|streaming)' <<< "$jobs" || ! command -v emcc > /dev/null || echo wasm
  scripts=$(sed -n -E "s|^((driver\|sample)/[^ ]*).*|$root/test/\1|p" <<< "$jobs" | sort -u)
  # shellcheck disable=SC2086
  [ -z "$scripts" ] || ! grep -q -E 'sanitize|asan|tsan|msan|FMCC_ASAN|make' $scripts || echo asan variants
}

main() {
  local jobs results=$root/build/test/$$ status=0
  pool_needs "$FMCC"
  jobs=$(chosen)
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

case ${1:-} in
  --needs) needs ;;
  --list) chosen ;;
  *) main ;;
esac
