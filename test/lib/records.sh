# records.sh (sourced): how the C files of real packages are compiled, taken from their real builds, once.
#
#   records_make PACKAGE...    fetches and builds each in build/work/PACKAGE, with gcc
#   records_list PACKAGE...    prints `PACKAGE RECORD FILE` for every compilation; FILE as the package's tree has it
#   records_load PACKAGE RECORD   goes to the directory of that compilation and sets `args` and `input`
#   records_suit CC            takes the options that this compiler does not have out of `args`
#
# The sources and generated headers stay in build/work, so that each compilation can be repeated there.
RECORDS_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$RECORDS_ROOT/test/long/recipes.sh"

records_dir() { echo "$RECORDS_ROOT/build/work/$1.records"; }

record_package() {
  local work=$RECORDS_ROOT/build/work/$1 log=$RECORDS_ROOT/build/work/$1.log
  [ ! -e "$(records_dir "$1")/.done" ] || return 0
  "$RECORDS_ROOT/test/long/fetch.sh" "$1" || return
  rm -rf "$work" "$(records_dir "$1")"
  mkdir -p "$(records_dir "$1")"
  recipe_copy "$1" "$work"
  (
    cd "$work"
    export RECORD_CC=gcc CC="$RECORDS_ROOT/test/long/record.sh"
    RECORD_DIR=$(records_dir "$1")
    export RECORD_DIR
    recipe_do "$1" build
  ) > "$log" 2>&1 || { tail -n 20 "$log" >&2; echo "building $1 failed" >&2; return 1; }
  touch "$(records_dir "$1")/.done"
}

records_made() {
  local package
  for package in "$@"; do [ -e "$(records_dir "$package")/.done" ] || return; done
}

records_make() {
  local package
  ! records_made "$@" || return 0
  mkdir -p "$RECORDS_ROOT/build/work"
  exec 8> "$RECORDS_ROOT/build/work/.lock"
  flock 8
  for package in "$@"; do record_package "$package" || return; done
  exec 8>&-
}

# A probe of a configure script or of cmake is no file of the package.
records_list() {
  local package record
  for package in "$@"; do
    for record in "$(records_dir "$package")"/*; do
      (records_load "$package" "${record##*/}" 2>/dev/null && [ -f "$input" ] && echo "$package ${record##*/} $(records_name "$package")") || true
    done
  done | grep -v -E '[ /](conftest|CMakeC[^/]*)\.c$' | LC_ALL=C sort -k1,1 -k3,3
}

# The name of `input`, in the current directory, from the top of the package's tree on.
records_name() { realpath -m --relative-to="$RECORDS_ROOT/build/work/$1" "$input"; }

records_load() {
  . "$(records_dir "$1")/$2"
}

# The packages are built with gcc; clang ends at an option that only gcc has.
records_suit() {
  local unknown word words=()
  unknown=$("$1" "${args[@]}" -fsyntax-only -x c /dev/null 2>&1 |
    sed -n -E "s/.*(unknown argument|unsupported option|unsupported argument):? '([^']*)'.*/\2/p")
  [ -n "$unknown" ] || return 0
  for word in "${args[@]}"; do grep -q -x -F -e "$word" <<< "$unknown" || words+=("$word"); done
  args=("${words[@]}")
}
