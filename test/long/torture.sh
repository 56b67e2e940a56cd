#!/usr/bin/env bash
# torture.sh [PATTERN]: the execution tests of gcc's own test suite (c-torture/execute, all or those whose name matches),
# at -O0 and -O2, must behave through `fmcc --translate=reprint` as they do with the C compiler itself; what the C compiler
# does not compile is skipped. At -O0 they must also compile with --translate=assert. torture-left-out.txt lists the files
# left out, with reasons.
# Environment: FMCC, JOBS, CCS ("gcc clang"), EVERY (take each n-th file only). Ends with `N passed, M failed`.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
suite=$root/build/src/torture
. "$root/test/lib/pool.sh"
export FMCC=${FMCC:-$root/build/bin/fmcc}

# The options a file asks for in its comments or in the .x file beside it, where they hold for every target, and those
# that gcc's suite gives to a whole folder.
wanted_options() {
  local file=$suite/$2
  sed -n -E 's/.*\{ *dg-(additional-)?options +"([^"]*)" *\}.*/\2/p' "$file" | tr '\n' ' '
  [ ! -f "${file%.c}.x" ] || sed -n -E 's/^set additional_flags "?([^"]*)"?$/\1/p' "${file%.c}.x" | tr '\n' ' '
  case $1/$2 in
    gcc/builtins/*) echo "-fno-tree-dse -fno-tree-loop-distribute-patterns -fno-tracer -fno-ipa-ra -fno-inline-functions" ;;
    */ieee/*) echo "-fno-inline" ;;
  esac
}

# A test of builtins/ is three files: itself, its own version of the functions, and the common main.
files_of() {
  local file=$suite/$1
  case $1 in
    builtins/*) echo "$file ${file%.c}-lib.c $suite/builtins/lib/main.c" ;;
    *) echo "$file" ;;
  esac
}

run_program() {
  local status=0
  { timeout 30 "./$1" > "$1.out" 2>&1; } 2> /dev/null || status=$?
  echo "status $status" >> "$1.out"
}

one() {
  local cc opt name flags files
  read -r cc opt name <<< "$1"
  files=$(files_of "$name")
  flags="$opt -w $(wanted_options "$cc" "$name")"
  # shellcheck disable=SC2086
  "$cc" $flags -o plain $files -lm > plain.log 2>&1 || { echo "$cc does not compile it"; exit 77; }
  run_program plain
  # shellcheck disable=SC2086
  "$FMCC" --cc="$cc" --translate=reprint $flags -o ours $files -lm
  run_program ours
  diff plain.out ours.out
  [ "$opt" = -O0 ] || return 0
  # shellcheck disable=SC2086
  (mkdir assert && cd assert && "$FMCC" --cc="$cc" --translate=assert $flags -c $files)
}

names() {
  (cd "$suite" && find . -name '*.c' | sed 's|^\./||') | grep -v -E '^builtins/(lib/|.*-lib\.c$)' |
    grep -v -x -F -f <(sed -n 's/^\([^#[:space:]]*\).*/\1/p' "$root/test/long/torture-left-out.txt" | grep .) |
    grep -E -e "${1:-.}" | LC_ALL=C sort | awk "NR % ${EVERY:-1} == 0"
}

list() {
  local cc opt
  for cc in ${CCS:-gcc clang}; do
    for opt in -O0 -O2; do names "${1:-}" | sed "s|^|$cc $opt |"; done
  done
}

main() {
  local dir=$root/build/test/torture.$$ status=0
  pool_needs "$FMCC"
  "$root/test/long/fetch.sh" torture
  list "${1:-}" | pool_run "$dir" 180 bash "$root/test/long/torture.sh" --one
  pool_summary "$dir" || status=1
  [ -n "${KEEP:-}" ] || rm -rf "$dir"
  exit $status
}

if [ "${1:-}" = --one ]; then one "$2"; else main "$@"; fi
