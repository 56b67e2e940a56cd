#!/usr/bin/env bash
# atomicity.sh [ORDERS]: -fsanitize=atomicity finds each mistake of test/atomicity within 30 orders,
# and reports none of the mended versions in ORDERS (300). At most 1 % of the programs of test/run
# report anything; the others do what they do without.
set -eu
SRC=$(cd "$(dirname "$0")/../.." && pwd)
FMCC=${FMCC:-$SRC/build/bin/fmcc}
orders=${1:-300}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
. "$SRC/test/atomicity/try.bash"

for CC in gcc clang; do
  for file in "$SRC"/test/atomicity/*.c; do
    finds "$file" 30
    silent "$file" "$orders"
  done
done

CC=gcc
tried=0 reports=0 failed=0
for file in "$SRC"/test/run/async-*.c; do
  # the sanitizer remembers each of a million callers, which these programs measure
  case $file in */async-tail-call*) continue ;; esac
  case $(lines_of flags "$file")$(lines_of only "$file") in *sanitize* | *clang*) continue ;; esac
  tried=$((tried + 1))
  unchanged "$file" || failed=$((failed + 1))
  grep 'fermata: atomicity:' err || continue
  reports=$((reports + 1))
done
echo "$reports of $tried programs report something"
echo "$((tried - failed)) passed, $failed failed"
[ $failed = 0 ] && [ $((100 * reports)) -le "$tried" ]
