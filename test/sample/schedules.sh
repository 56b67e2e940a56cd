#!/usr/bin/env bash
# Programs whose result does not depend on the order give it under every schedule: FERMATA_SCHED=random:SEED, and slices of 1 ms.
set -eu

programs="async-compound-assignment async-activate-in-loops async-activate-nested async-activate-loop-pauses async-locals-shared-by-address
  async-errno async-tasks async-atomic-in-contained async-atomic-compound-assignment async-recursion-with-arrays
  async-kept-task-not-awaited"
seeds=${SEEDS:-50}

expected() { sed -n 's|.*// expect: \{0,1\}||p' "$SRC/test/run/$1.c"; }

check() {
  local name=$1 seed
  for ((seed = 1; seed <= seeds; seed++)); do
    FERMATA_SCHED=random:$seed FERMATA_TICK=1 timeout 20 "./$name" > out 2>&1 || { echo "$name, seed $seed: exit status $?"; cat out; exit 1; }
    diff expected out || { echo "$name, seed $seed"; exit 1; }
  done
}

for name in $programs; do
  [ -f "$SRC/test/run/$name.c" ] || continue      # it may be pending
  "$FMCC" -O1 -w -I"$SRC/test/run" -o "$name" "$SRC/test/run/$name.c"
  expected "$name" > expected
  check "$name"
done

# The same seed gives the same order; some two seeds give different ones.
"$FMCC" -x c -o order - << 'END'
#include <fermata.h>
static async void say(int n) { for (int i = 0; i < 3; i++) { printf("%d", n); yield; } }
async int main(void) { for (int i = 0; i < 8; i++) spawn say(i); }
END
export FERMATA_TICK=off
for seed in 1 2 3 4; do FERMATA_SCHED=random:$seed ./order > order.$seed; done
FERMATA_SCHED=random:3 ./order | cmp - order.3 || { echo "seed 3 gives two orders"; exit 1; }
[ "$(cat order.? | wc -c)" = 96 ] || { echo "an activity did not run"; exit 1; }
! { cmp -s order.1 order.2 && cmp -s order.2 order.3 && cmp -s order.3 order.4; } || { echo "seeds change nothing"; exit 1; }
[ "$(FERMATA_SCHED=fifo ./order)" = 012345670123456701234567 ] || { echo "fifo is not first in, first out"; exit 1; }
