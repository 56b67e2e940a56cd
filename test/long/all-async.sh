#!/usr/bin/env bash
# all-async.sh [KIND...]: other people's code with every function made async (test/all-async/) behaves as it does without.
#   libraries   cJSON, expat and libyaml, with programs that use them, under FERMATA_TICK=always: every yield is taken
#   csmith      generated programs, likewise (CSMITH of them: 200, from seed FIRST: 1)
#   torture     gcc's own execution tests, likewise
#   units       git, curl, libuv, redis, busybox and sqlite3 are compiled, file by file
# all-async-left-out.txt lists what fmcc refuses there, with reasons; one that is listed and is not refused fails, too.
# Environment: FMCC, JOBS, CCS ("gcc clang"), EVERY (take each n-th test or unit only), ONLY (an extended regular
# expression: those tests and units alone), PACKAGES, LIBRARIES (words OPTION,NAME). Ends with `N passed, M failed`.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/test/all-async
source=$root/build/src
. "$root/test/lib/pool.sh"
. "$root/test/lib/records.sh"
export FMCC=${FMCC:-$root/build/bin/fmcc} ASYNCIFY=$root/build/test/asyncify

# ---- a program, from all of its sources, as it is and with every function async ----
run() {
  local status=0
  { timeout "${RUN_SECONDS:-30}" bash -c 'exec -a program "$0" "$@"' "./$1" "${@:2}" < "${input:-/dev/null}" > "$1.out" 2>&1; } 2> /dev/null || status=$?
  echo "status $status" >> "$1.out"
}

# scan_with FLAGS AND SOURCES...: makes `plain`, and `names` of what it found.
scan_with() {
  mkdir -p scans
  PHASE=scan SCANS=$PWD/scans "$here/cc.sh" -w "$@" -o plain > plain.log 2>&1 || { cat plain.log; echo "$UNDER does not compile it"; exit 77; }
  cat scans/* | awk -v force="${force:-}" -v pointers="${pointers:-}" -v plain="${plain:-}" -f "$here/decide.awk" > names
}

make_with() { PHASE=make NAMES=$PWD/names "$here/cc.sh" "$@" -o ours > ours.log 2>&1; }

# compare ARGUMENTS...: runs both. What does not end, or (with `good`) fails, in plain C says nothing.
compare() {
  run plain "$@"
  ! grep -q '^status 124' plain.out || exit 77
  [ -z "${good:-}" ] || grep -q '^status 0$' plain.out || exit 77
  FERMATA_TICK=always RUN_SECONDS=120 run ours "$@"
  diff plain.out ours.out
}

# left_out KIND NAME: whether the list has it.
left_out() { grep -q -x -E "$1 +$2 +(any|$UNDER) .*" "$root/test/long/all-async-left-out.txt"; }

# refused KIND NAME LOG: says why, and ends the job: skipped if the list has it, failed otherwise.
refused() {
  grep -E -m 3 'error|internal|signal' "$3" || tail -n 3 "$3"
  ! left_out "$1" "$2" || exit 77
  exit 1
}

# A test on the list that compiles: it is there because it does something else, or wrongly.
not_left_out() {
  if [ "$1" = torture ] && ! (compare > /dev/null); then exit 77; fi
  echo "it passes: take it off the list"
  exit 1
}

# build KIND NAME FLAGS AND SOURCES...: builds both; what is refused has to be on the list, and nothing else may be.
build() {
  local kind=$1 name=$2
  shift 2
  scan_with "$@"
  if make_with "$@"; then
    ! left_out "$kind" "$name" || not_left_out "$kind"
  else
    refused "$kind" "$name" ours.log
  fi
}

# ---- libraries ----
one_library() {
  local d=$source/$3 program
  case $3 in
    cjson)
      build library cjson "$2" -I"$d" "$here/cjson.c" "$d/cJSON.c" "$d/cJSON_Utils.c" -lm
      compare "$d"/tests/inputs/test* ;;
    expat)
      force='.*' pointers='.*' plain='(malloc|realloc|free)_fcn' build library expat "$2" -DHAVE_MEMMOVE -DXML_NS -DXML_DTD -DXML_GE=1 -DXML_CONTEXT_BYTES=1024 \
        -DXML_DEV_URANDOM -I"$d/expat/lib" "$here/expat.c" "$d"/expat/lib/xml{parse,role,tok}.c
      compare "$here"/documents/*.xml "$d/expat/doc/xmlwf.xml" ;;
    libyaml)
      for program in run-scanner run-parser run-loader run-emitter run-dumper run-parser-test-suite example-reformatter; do
        rm -rf scans
        build library libyaml "$2" -I"$d/include" -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5 \
          -DYAML_VERSION_STRING='"0.2.5"' "$d/tests/$program.c" "$d"/src/*.c
        for file in "$d"/examples/*.yaml; do compare "$file"; input=$file compare; done
      done ;;
  esac
}

# ---- programs ----
one_csmith() {
  csmith --seed "$3" --output program.c
  build csmith "$3" "$2" -I"$(csmith_include)" program.c
  compare
}

csmith_include() { ls -d /usr/include/csmith* /usr/local/include/csmith* 2> /dev/null | head -n 1; }

# A file that asks for __OPTIMIZE__ is about what gcc has to find out by itself, and fails to link if it does not.
one_torture() {
  local file=$source/torture/$3 level=$2 good=yes options
  ! grep -q -w __OPTIMIZE__ "$file" || level=-O0
  options=$(sed -n -E 's/.*\{ *dg-(additional-)?options +"([^"]*)" *\}.*/\2/p' "$file" | tr '\n' ' ')
  # shellcheck disable=SC2086
  build torture "$3" "$level" $options "$file" -lm
  compare
}

# ---- units of large programs: compiled, not linked ----
one_unit() {
  local package=$3 dir
  dir=$PWD
  records_load "$package" "$4"
  [ "$UNDER" = gcc ] || records_suit "$UNDER"
  NAMES=$(records_dir "$package")/.names PHASE=make "$here/cc.sh" "${args[@]}" "$2" -c "$input" -o "$dir/unit.o" > "$dir/ours.log" 2>&1 && {
    ! left_out "$package" "$5" || not_left_out "$package"
    exit 0
  }
  "$UNDER" "${args[@]}" "$2" -fsyntax-only "$input" > "$dir/plain.log" 2>&1 ||
    { head -n 3 "$dir/plain.log"; echo "$UNDER does not compile it"; exit 77; }
  refused "$package" "$5" "$dir/ours.log"
}

# A file that is compiled twice (for a shared library, too) is one unit.
units() { records_list "$@" | awk '!seen[$1, $3]++'; }

# What asyncify finds in all units of a package, once, and what is decided about it.
scan_package() {
  local dir record
  dir=$(records_dir "$1")
  if [ ! "$dir/.scanned" -nt "$here/asyncify.c" ]; then
    rm -rf "$dir/.scans"
    mkdir "$dir/.scans"
    units "$1" | while read -r _ record _; do echo "$1 $record"; done |
      xargs -d '\n' -n 1 -P "${JOBS:-$(nproc)}" bash "$root/test/long/all-async.sh" --scan
    touch "$dir/.scanned"
  fi
  cat "$dir/.scans"/* | awk -f "$here/decide.awk" > "$dir/.names.new"
  mv "$dir/.names.new" "$dir/.names"
}

scan_unit() {
  local package record
  read -r package record <<< "$1"
  export PHASE=scan SCANS UNDER=gcc
  SCANS=$(records_dir "$package")/.scans
  records_load "$package" "$record"
  "$here/cc.sh" "${args[@]}" -fsyntax-only -c "$input" > /dev/null 2>&1 || true
}

# ---- lists of jobs ----
every() { grep -E "${ONLY:-}" | awk "NR % ${EVERY:-1} == 0"; }

list() {
  local kind=$1 cc library
  for cc in ${CCS:-gcc clang}; do
    case $kind in
      libraries) for library in $LIBRARIES; do echo "library $cc ${library/,/ }"; done ;;
      csmith) seq -f "csmith $cc -O1 %.0f" "${FIRST:-1}" $((${FIRST:-1} + ${CSMITH:-200} - 1)) ;;
      torture) (cd "$source/torture" && ls ./*.c) | sed "s|^\./|torture $cc -O1 |" | every ;;
      units) units $PACKAGES | every | sed "s/^/unit $cc -O0 /" ;;
    esac
  done
}

prepare() {
  local package
  case $1 in
    libraries) "$root/test/long/fetch.sh" $(tr ' ' '\n' <<< "$LIBRARIES" | sed 's/.*,//' | sort -u) ;;
    torture) "$root/test/long/fetch.sh" torture ;;
    units)
      records_make $PACKAGES
      for package in $PACKAGES; do scan_package "$package"; done ;;
  esac
}

main() {
  local dir=$root/build/test/all-async.$$ status=0 kind
  PACKAGES=${PACKAGES:-git curl libuv1 redis busybox sqlite3}
  LIBRARIES=${LIBRARIES:--O0,cjson -O2,cjson -O0,expat -O2,expat -O1,libyaml}
  pool_needs "$FMCC"
  [ $# -gt 0 ] || set -- libraries csmith torture units
  mkdir -p "${ASYNCIFY%/*}"
  gcc -std=gnu11 -Wall -Wextra -O2 -o "$ASYNCIFY.$$" "$here/asyncify.c"
  mv "$ASYNCIFY.$$" "$ASYNCIFY"
  for kind; do prepare "$kind"; done
  for kind; do list "$kind"; done | pool_run "$dir" 600 bash "$root/test/long/all-async.sh" --one
  pool_summary "$dir" || status=1
  [ -n "${KEEP:-}" ] || rm -rf "$dir"
  exit $status
}

case ${1:-} in
  --one)
    read -r kind UNDER rest <<< "$2"
    export UNDER
    # shellcheck disable=SC2086
    "one_$kind" "$kind" $rest ;;
  --scan) scan_unit "$2" ;;
  *) main "$@" ;;
esac
