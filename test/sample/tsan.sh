#!/usr/bin/env bash
# ThreadSanitizer has nothing to say about programs in which mailboxes, replies, agents, completions, descriptors, domains and plain threads meet: with
# -fsanitize=thread they are linked with a library that is built with it.
set -eu

echo 'int main(void) { return 0; }' > probe.c
"$CC" -fsanitize=thread -o probe probe.c 2> probe.err && ./probe 2>> probe.err || exit 77
flags="-std=gnu11 -O1 -g -fsanitize=thread -Wall -Wextra"

try() {                                 # FILE [ARGUMENT]…
  local status=0 name
  name=$(basename "$1" .c)
  # shellcheck disable=SC2086
  "$FMCC" --cc="$CC" $flags -pthread -I"$(dirname "$1")" -o program "$1"
  sed -n 's|.*// expect: \{0,1\}||p' "$1" > expected
  # shellcheck disable=SC2046
  env $(sed -n 's|.*// env: \{0,1\}||p' "$1") TSAN_OPTIONS="halt_on_error=1 exitcode=66 die_after_fork=0" \
    timeout 120 ./program "${@:2}" > out 2> err || status=$?
  { [ "$status" = 0 ] && cmp -s expected out; } || { echo "$name: exit status $status"; diff expected out; head -60 err; exit 1; }
}

for seed in 1 2 3; do try "$SRC/test/stress/threads.c" 4000 "$seed"; done
for name in run/async-agents run/async-on-results run/async-on-cancel run/async-on-plain run/async-on-storm run/async-on-await \
            run/async-on-mailboxes run/async-offload run/direct-from-a-thread run/async-sync-domains stress/domains stress/await-elsewhere \
            stress/sync-domains stress/io-domains; do
  try "$SRC/test/$name.c"
done
