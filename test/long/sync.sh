#!/usr/bin/env bash
# sync.sh [N [SEEDS]]: the programs of test/stress that try sync.h and agent.h against a model (model-*.c; sync.c; threads.c), each with N
# operations (10^6; sync.c: 8 times as many, for it does eight kinds), over SEEDS seeds (8), each once in the order of the queue and once
# in a random one, under ASan+UBSan, the runtime as well.
# Environment: FMCC_ASAN, JOBS. Ends with `N passed, M failed`.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/test/lib/pool.sh"
FMCC=${FMCC_ASAN:-$root/build/asan/bin/fmcc}

one() {                                 # 'PROGRAM OPERATIONS SEED'
  local program n seed order
  read -r program n seed <<< "$1"
  export FERMATA_DRIVER=virtual
  for order in "FERMATA_TICK=off" "FERMATA_TICK=always FERMATA_SCHED=random:$seed"; do
    # shellcheck disable=SC2086
    env $order "$PROGRAMS/$program" "$n" "$seed" > out 2>&1 && [ "$(cat out)" = ok ] && continue
    echo "$order $program $n $seed"
    head -40 out
    exit 1
  done
}

compile() {
  local source
  for source in "$root"/test/stress/{model-*,sync,threads,each,structured-calls}.c; do
    "$FMCC" -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -I"$root/test/stress" -pthread \
      -o "$PROGRAMS/$(basename "$source" .c)" "$source"
  done
}

jobs_of() {                             # OPERATIONS SEEDS
  local program seed n
  for seed in $(seq "$2"); do
    for program in "$PROGRAMS"/*; do
      n=$(($1 / $2))
      [ "${program##*/}" != sync ] || n=$((8 * n))
      echo "${program##*/} $n $seed"
    done
  done
}

main() {
  local dir=$root/build/test/sync.$$ status=0
  pool_needs "$FMCC"
  export PROGRAMS=$dir.programs
  mkdir -p "$PROGRAMS"
  compile
  jobs_of "${1:-1000000}" "${2:-8}" | pool_run "$dir" 900 bash "$root/test/long/sync.sh" --one
  pool_summary "$dir" || status=1
  rm -rf "$PROGRAMS"
  [ -n "${KEEP:-}" ] || rm -rf "$dir"
  exit $status
}

if [ "${1:-}" = --one ]; then one "$2"; else main "$@"; fi
