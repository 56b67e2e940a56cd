#!/usr/bin/env bash
# ThreadSanitizer has nothing to say about programs in which mailboxes, replies, agents, completions, descriptors, domains and plain threads meet,
# nor MemorySanitizer about such as pause in many ways. (All programs of test/run: test/long/sanitizers.sh.)
set -eu
. "$SRC/test/sanitize.bash"

if [ "$CC" = clang ]; then
  can clang memory || exit 77
  for name in run/async-agents run/async-on-results run/async-io-kinds run/async-io-tcp run/async-stream-operators run/async-sync-channels \
              run/async-offload stress/io-domains; do
    sanitized clang memory "$SRC/test/$name.c"
  done
  exit
fi
can "$CC" thread || exit 77
for seed in 1 2 3; do sanitized "$CC" thread "$SRC/test/stress/threads.c" 4000 "$seed"; done
for name in run/async-agents run/async-on-results run/async-on-cancel run/async-on-plain run/async-on-storm run/async-on-await \
            run/async-on-mailboxes run/async-offload run/direct-from-a-thread run/async-sync-domains run/async-deep-recursion stress/domains \
            stress/await-elsewhere stress/sync-domains stress/io-domains; do
  sanitized "$CC" thread "$SRC/test/$name.c"
done
