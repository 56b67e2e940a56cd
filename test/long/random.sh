#!/usr/bin/env bash
# random.sh [N [FIRST]]: N programs of test/gen (seeds FIRST…, from 1; N is 2000 when not given) print the same through fmcc as plain C
# does without the keywords: paused at every place, at none, at some; atomic; three at once; and paused at every automatic yield.
# gcc: -O0 -g, -O2 and with ASan+UBSan, clang: -O2. With -O1 and more (-Wall -Wextra) the translation
# must draw no warning that the plain program does not.
# Environment: FMCC, JOBS, CCS ("gcc clang"), SIZE (of the programs, 16), WAYS (of gcc: "-g -O2 asan";
# also -O1, -O3, -Os), CLANG_WAYS ("-O2"). Ends with `N passed, M failed`.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/test/lib/pool.sh"
export FMCC=${FMCC:-$root/build/bin/fmcc} SIZE=${SIZE:-16} WAYS=${WAYS:--g -O2 asan}
export GEN=${GEN:-$root/build/test/gen}

way_flags() {
  case $1 in
    asan) echo "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -w" ;;
    -g) echo "-O0 -g -w" ;;
    *) echo "$1 -Wall -Wextra" ;;
  esac
}

# Not the line: macros are expanded before us. Nor what a typedef stands for: a pointer to an async function is another type to the
# compiler. Nor where a variable lives. And what is not used may be declared ahead of its value, and then is called set, but not used.
# Nor the number in the name of the array into which gcc turns one of variable length. gcc 12 calls
# that array dangling, in plain C too, if a block with another one stands before it.
alike() {
  sed -E -e "s/ \(aka '[^']*'\)//g; s/fm__f->//g; s/ of type '[^']*' to itself/ to itself/" \
      -e '/dangling pointer/s/([A-Za-z_][A-Za-z_0-9]*)\.[0-9]+/\1/' \
      -e 's/variable (.*) set but not used \[-Wunused-but-set-variable\]/unused variable \1 [-Wunused-variable]/' "$1"
}
# Activities of these programs are waited for before the loop's next turn.
warnings() { alike "$1" | sed -n -E '/belongs to a loop around/d; s/^program\.c:[0-9:]+ warning: //p' | sort -u; }

# Those of the translation that the plain program does not have, also as if macros had been written out.
more_warnings() {                       # WAY
  "$cc" -DPLAIN "$1" -Wall -Wextra -c -o plain.o program.c 2> plain.log
  "$cc" -DPLAIN -E program.c | "$cc" "$1" -Wall -Wextra -x c -c -o plain.o - 2>> plain.log
  comm -13 <(warnings plain.log) <(warnings ours.log) > more.log
  [ ! -s more.log ] || { echo "warnings that the plain program does not have:"; alike ours.log | grep -F -f more.log | head -20; return 1; }
}

compare() {                             # way, then what to run
  local status=0
  timeout "${RUN_SECONDS:-5}" env FERMATA_TICK="$2" ./ours "${@:3}" > ours.out 2> ours.err || status=$?
  { [ $status = 0 ] && cmp -s plain.out ours.out; } && return
  ! grep -q '^fermata: FERMATA_TICK=always: expected' ours.err || return 0 # not there yet
  echo "$cc $1, FERMATA_TICK=$2 ./program ${*:3}: exit status $status, $(wc -l < ours.out) lines of $(wc -l < plain.out)"
  diff plain.out ours.out | head -8 || true
  head -30 ours.err
  return 1
}

try_way() {
  local run failed=0
  # shellcheck disable=SC2046
  "$FMCC" --cc="$cc" $(way_flags "$1") -o ours program.c > ours.log 2>&1 ||
    { echo "fmcc --cc=$cc $(way_flags "$1"):"; grep -A3 -m 4 -E 'error|Assertion|internal' ours.log || head ours.log; return 1; }
  case $1 in -O*) more_warnings "$1" || failed=1 ;; esac
  for run in "yield 0" "yield 1" "yield 7" "atomic 0" "several 0" "several 3"; do
    # shellcheck disable=SC2086
    compare "$1" off $run || return 1
  done
  compare "$1" always several 1 || return 1
  return $failed
}

one() {
  local seed way failed=0
  read -r cc seed <<< "$1"
  "$GEN" "$seed" "$SIZE" > program.c
  "$cc" -DPLAIN -O1 -w -o plain program.c
  timeout 10 ./plain > plain.out
  [ "$cc" = gcc ] || WAYS=${CLANG_WAYS:--O2}
  for way in $WAYS; do try_way "$way" || failed=1; done
  exit $failed
}

main() {
  local n=${1:-2000} first=${2:-1} cc dir=$root/build/test/random.$$ status=0
  pool_needs "$FMCC"
  GEN=$dir.gen
  mkdir -p "$root/build/test"
  "${BUILD_CC:-cc}" -O1 -D_GNU_SOURCE -o "$GEN" "$root"/test/gen/*.c
  for cc in ${CCS:-gcc clang}; do seq -f "$cc %.0f" "$first" $((first + n - 1)); done |
    pool_run "$dir" 300 bash "$root/test/long/random.sh" --one
  pool_summary "$dir" || status=1
  rm -f "$GEN"
  [ -n "${KEEP:-}" ] || rm -rf "$dir"
  exit $status
}

if [ "${1:-}" = --one ]; then one "$2"; else main "$@"; fi
