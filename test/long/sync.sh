#!/usr/bin/env bash
# sync.sh [N [SEEDS]]: N operations on channels, MVars, semaphores, mutexes and mailboxes (10^6 on each of the five) at random, with
# cancels and races, in several orders of running, under ASan+UBSan: stress/sync.c says what must hold.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
FMCC=${FMCC_ASAN:-$root/build/asan/bin/fmcc}
n=${1:-5000000} seeds=${2:-8}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export FERMATA_DRIVER=virtual
"$FMCC" -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -o "$work/sync" "$root/test/stress/sync.c"
for seed in $(seq "$seeds"); do
  FERMATA_TICK=off "$work/sync" "$((n / seeds))" "$seed" > "$work/out" || { cat "$work/out"; echo "seed $seed"; exit 1; }
  FERMATA_TICK=always FERMATA_SCHED=random:$seed "$work/sync" "$((n / seeds))" "$seed" > "$work/out" ||
    { cat "$work/out"; echo "seed $seed, random"; exit 1; }
done
echo "sync: ok"
