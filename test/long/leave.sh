#!/usr/bin/env bash
# leave.sh [N [FIRST]]: N programs of test/gen-leave (seeds FIRST…, from 1; N is 2000 when not given) print what the generator says they
# print: try, finally, defer, jumps and errors in every combination. Each seed is compiled in one of four ways, in turn: gcc -O0, gcc -O2,
# gcc with ASan+UBSan, clang -O2; and run without slices, and with one that ends at every automatic yield. Without a sanitizer the
# compiler must be silent (-Wall -Wextra, except about what the program leaves unused).
# Environment: FMCC, JOBS. Ends with `N passed, M failed`.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/test/lib/pool.sh"
export FMCC=${FMCC:-$root/build/bin/fmcc}

flags() {
  case $(($1 % 4)) in
    0) echo "--cc=gcc -O0 -Wall -Wextra -Wno-unused" ;;
    1) echo "--cc=gcc -O2 -Wall -Wextra -Wno-unused" ;;
    2) echo "--cc=gcc -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -w" ;;
    3) echo "--cc=clang -O2 -Wall -Wextra -Wno-unused" ;;
  esac
}

one() {
  local seed=$1 tick status=0
  "$GEN" "$seed" > program.c
  "$GEN" "$seed" expected > expected
  echo "seed $seed: fmcc $(flags "$seed")"
  # shellcheck disable=SC2046
  "$FMCC" $(flags "$seed") -o program program.c > compile.out 2>&1 || { head -20 compile.out; exit 1; }
  [ ! -s compile.out ] || { head -20 compile.out; exit 1; }
  for tick in off always; do
    timeout 20 env FERMATA_TICK=$tick ./program > actual 2> stderr || status=$?
    { [ $status = 0 ] && cmp -s expected actual; } && continue
    echo "FERMATA_TICK=$tick: exit status $status"
    diff expected actual | head -8 || true
    head -20 stderr
    exit 1
  done
}

main() {
  local n=${1:-2000} first=${2:-1} dir=$root/build/test/leave.$$ status=0
  pool_needs "$FMCC"
  export GEN=$dir.gen
  mkdir -p "$root/build/test"
  "${BUILD_CC:-cc}" -O1 -o "$GEN" "$root/test/gen-leave/leave.c"
  seq "$first" $((first + n - 1)) | pool_run "$dir" 120 bash "$root/test/long/leave.sh" --one
  pool_summary "$dir" || status=1
  rm -f "$GEN"
  [ -n "${KEEP:-}" ] || rm -rf "$dir"
  exit $status
}

if [ "${1:-}" = --one ]; then one "$2"; else main "$@"; fi
