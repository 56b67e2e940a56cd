#!/usr/bin/env bash
# One more waiter costs as many instructions among thousands as among hundreds: channels,
# semaphores, mutexes, conditions, broadcasts and all others that bench/sync/waiters.c has.
set -eu
[ "$(basename "${CC:-gcc}")" = gcc ] || exit 77 # once is enough
command -v valgrind > /dev/null || exit 77

"$FMCC" -O1 -o waiters "$SRC/bench/sync/waiters.c"
"$SRC/bench/sync/waiters.sh" ./waiters . 100 1000 10000 > costs
[ "$(wc -l < costs)" -ge 22 ] || { echo "only these were counted:"; cat costs; exit 1; }
awk '{ kind = $1; sub(/_.*/, "", kind) }
  /_1000 / { few[kind] = $2 }
  /_10000 / && (!($2 > 0) || $2 > 1.1 * few[kind]) {
    print kind ": one of 1,000: " few[kind] ", one of 10,000: " $2
    bad = 1
  }
  END { exit bad }' costs
