#!/usr/bin/env bash
# identical.sh [PACKAGE...]: for every C file of the packages, as their own builds compile it, with gcc and with clang:
#   1. the object of `fmcc --translate=verbatim` equals that of the C compiler reading the same preprocessed text, in
#      contents of all sections (debug information too), relocations and symbols. Preprocessed text on both sides, since
#      debug information holds columns (of the expanded text) and, with clang, checksums of the file read;
#   2. without debug information it equals the object of the C compiler reading the source file itself.
# The only thing left aside is the symbol that names the file read (clang puts a temporary name there).
# Environment: FMCC, JOBS, CCS ("gcc clang"), MODE (verbatim). Ends with `N passed, M failed`.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/test/lib/pool.sh"
. "$root/test/lib/records.sh"
export FMCC=${FMCC:-$root/build/bin/fmcc} MODE=${MODE:-verbatim}

# All that an object file says, as text.
contents() { objdump -s -r -t "$1" | tail -n +3 | grep -v ' df \*ABS\*'; }

same() {
  cmp -s "$1" "$2" || diff <(contents "$1") <(contents "$2") > differences || {
    echo "$3: objects differ"
    head -n 20 differences
    return 1
  }
}

same_without_debug() {
  objcopy --strip-debug "$1" plain1.o
  objcopy --strip-debug "$2" plain2.o
  same plain1.o plain2.o "$3"
}

# The records carry -w: what the compilers think of other people's code is not the question here.
one() {
  local cc package record work=$PWD args input
  read -r cc package record _ <<< "$1"
  records_load "$package" "$record"
  "$cc" "${args[@]}" -E -o "$work/text.i" "$input"
  "$cc" "${args[@]}" -c -o "$work/text.o" "$work/text.i"
  "$cc" "${args[@]}" -c -o "$work/direct.o" "$input"
  "$FMCC" --cc="$cc" --translate="$MODE" "${args[@]}" -c -o "$work/fmcc.o" "$input"
  cd "$work"
  same fmcc.o text.o "against preprocessed text"
  same_without_debug fmcc.o direct.o "against the source file"
}

main() {
  local cc dir=$root/build/test/identical.$$ status=0
  pool_needs "$FMCC"
  [ $# -gt 0 ] || set -- $RECIPE_PACKAGES
  records_make "$@"
  for cc in ${CCS:-gcc clang}; do records_list "$@" | sed "s/^/$cc /"; done | pool_run "$dir" 3600 bash "$root/test/long/identical.sh" --one
  pool_summary "$dir" || status=1
  [ -n "${KEEP:-}" ] || rm -rf "$dir"
  exit $status
}

if [ "${1:-}" = --one ]; then one "$2"; else main "$@"; fi
