#!/usr/bin/env bash
# sync.sh [N [SEEDS]]: the programs of test/stress that try the library against a model, each with
# about N operations (10^6) over SEEDS seeds (8), each seed once in the order of the queue and once
# in a random one: under ASan+UBSan, the runtime as well, and under TSan.
# Environment: FMCC_ASAN, FMCC_TSAN, SANITIZERS (asan tsan), T (a regular expression on the
# program's name), JOBS. Ends with `N passed, M failed`.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/test/lib/pool.sh"
FMCC_ASAN=${FMCC_ASAN:-$root/build/asan/bin/fmcc}
FMCC_TSAN=${FMCC_TSAN:-$root/build/bin/fmcc}
SANITIZERS=${SANITIZERS:-asan tsan}

# Programs, and how many operations stand for one in their first argument.
programs() {
  local source
  for source in "$root"/test/stress/model-*.c; do echo "$(basename "$source" .c) 1"; done
  cat << 'END'
sync 1/8
threads 1
each 1
structured-calls 1
supervisor 1
monitor 1
ticks 1
locals 1
broadcast-domains 1
sync-domains 1
race-domains 8
race-mixed-domains 4
io-reader 100
END
}

said() {                                # WHAT FILE: the lines `// WHAT: …` of a program
  sed -n "s|.*// $1: \{0,1\}||p" "$2"
}

one() {                                 # 'SANITIZER PROGRAM ARGUMENT SEED'
  local with program n seed order source status
  read -r with program n seed <<< "$1"
  source=$root/test/stress/$program.c
  said expect "$source" > expected
  for order in "FERMATA_TICK=off" "FERMATA_TICK=always FERMATA_SCHED=random:$seed"; do
    status=0
    # shellcheck disable=SC2046,SC2086
    env $(said env "$source") $order TSAN_OPTIONS="exitcode=66 report_thread_leaks=0" \
      "$PROGRAMS/$with/$program" "$n" "$seed" > out 2> err || status=$?
    [ "$status" != 0 ] || grep -q Sanitizer err || ! cmp -s out expected || continue
    echo "$order $with $program $n $seed: status $status"
    head -40 out
    tail -40 err
    exit 1
  done
}

compile() {                             # SANITIZER PROGRAM
  local fmcc=$FMCC_ASAN with=address,undefined
  [ "$1" = asan ] || { fmcc=$FMCC_TSAN; with=thread; }
  "$fmcc" -O1 -g -fsanitize=$with -fno-sanitize-recover=all -I"$root/test/stress" -pthread \
    -o "$PROGRAMS/$1/$2" "$root/test/stress/$2.c"
}

jobs_of() {                             # OPERATIONS SEEDS
  local with program unit seed n
  for seed in $(seq "$2"); do
    for with in $SANITIZERS; do
      while read -r program unit; do
        [[ "$program" =~ ${T:-.} ]] || continue
        [ -e "$PROGRAMS/$with/$program" ] || compile "$with" "$program" >&2
        if [ "$unit" = 1/8 ]; then n=$(($1 * 8 / $2)); else n=$(($1 / unit / $2)); fi
        echo "$with $program $n $seed"
      done < <(programs)
    done
  done
}

main() {
  local dir=$root/build/test/sync.$$ status=0 with
  pool_needs "$FMCC_ASAN"
  pool_needs "$FMCC_TSAN"
  export PROGRAMS=$dir.programs
  for with in $SANITIZERS; do mkdir -p "$PROGRAMS/$with"; done
  jobs_of "${1:-1000000}" "${2:-8}" > "$PROGRAMS/jobs"
  pool_run "$dir" 1800 bash "$root/test/long/sync.sh" --one < "$PROGRAMS/jobs"
  pool_summary "$dir" || status=1
  rm -rf "$PROGRAMS"
  [ -n "${KEEP:-}" ] || rm -rf "$dir"
  exit $status
}

if [ "${1:-}" = --one ]; then one "$2"; else main "$@"; fi
