#!/usr/bin/env bash
# packages.sh [PACKAGE...]: builds each package with CC=fmcc and runs its own tests (recipes.sh says which), with gcc and with
# clang underneath, printed from the tree (reprint) and with our types asserted to the C compiler (assert).
# Environment: FMCC, JOBS, CCS ("gcc clang"), MODES ("reprint assert"). Ends with `N passed, M failed`.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/test/lib/pool.sh"
. "$root/test/long/recipes.sh"
export FMCC=${FMCC:-$root/build/bin/fmcc}

one() {
  local package cc mode
  read -r package cc mode <<< "$1"
  export CC="$FMCC --translate=$mode --cc=$cc"
  recipe_copy "$package" tree
  cd tree
  recipe_do "$package" build test > ../log 2>&1 || { tail -n 60 ../log; exit 1; }
}

list() {
  local package cc mode
  for package in "$@"; do
    for cc in ${CCS:-gcc clang}; do
      for mode in ${MODES:-reprint assert}; do echo "$package $cc $mode"; done
    done
  done
}

main() {
  local dir=$root/build/test/packages.$$ status=0
  pool_needs "$FMCC"
  [ $# -gt 0 ] || set -- sqlite3 lua5.4 zlib bzip2 jansson
  "$root/test/long/fetch.sh" "$@"
  list "$@" | pool_run "$dir" 7200 bash "$root/test/long/packages.sh" --one
  pool_summary "$dir" || status=1
  [ -n "${KEEP:-}" ] || rm -rf "$dir"
  exit $status
}

if [ "${1:-}" = --one ]; then one "$2"; else main "$@"; fi
