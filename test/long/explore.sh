#!/usr/bin/env bash
# explore.sh: fermata explore and the seeded bugs of test/explore: the mended versions fail in none
# of 4,000 schedules, and -fsanitize=atomicity has nothing to report in 300; a failing schedule fails
# in each of 1,000 replays, and the default one in none.
set -eu
SRC=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
passed=0
failed=0
count() { # STATUS NAME
  if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "failed: $2"; fi
}

mended() { "$SRC/build/bin/fermata" explore -n 4000 --seed="${SEED:-1000}" -DMENDED "$1" > out || { cat out; return 1; }; }

replays() {
  "$SRC/build/bin/fmcc" -o program "$1"
  "$SRC/build/bin/fermata" explore -n 60 ./program > out && return 1
  schedule=$(sed -n "s/^run it again: .*--replay='\([^']*\)'.*/\1/p" out)
  [ -n "$schedule" ] || return 1
  for ((i = 0; i < 1000; i++)); do
    "$SRC/build/bin/fermata" explore --replay="$schedule" ./program 2> err && return 1
    grep -q Assertion err || return 1
  done
}

silent() {
  "$SRC/build/bin/fermata" explore --sanitize -n 300 --seed="${SEED:-1000}" -DMENDED "$1" > out ||
    { cat out; return 1; }
}

for program in "$SRC"/test/explore/*.c; do
  status=0; mended "$program" || status=1
  count $status "$program: mended"
  status=0; silent "$program" || status=1
  count $status "$program: mended, with -fsanitize=atomicity"
done
for name in lost-update stale-session; do
  status=0; replays "$SRC/test/explore/$name.c" || status=1
  count $status "$name: replays"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
