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
lines_of() { sed -n "s|.*// $1: \{0,1\}||p" "$2"; }
tried=0 reports=0 failed=0
for file in "$SRC"/test/run/async-*.c; do
  flags=$(lines_of flags "$file" | tr '\n' ' ')
  case $flags$(lines_of only "$file") in *sanitize* | *clang*) continue ;; esac
  eval "args=($(lines_of args "$file" | tr '\n' ' '))"
  eval "vars=($(lines_of env "$file" | tr '\n' ' '))"
  cp "$file" .
  # shellcheck disable=SC2086
  make_program -w "$(basename "$file")" -I"$SRC/test/run" $flags -o program
  lines_of stdin "$file" > stdin
  lines_of expect "$file" > expected
  env FERMATA_ATOMICITY=exit=0 ${vars[@]+"${vars[@]}"} timeout 60 ./program \
    ${args[@]+"${args[@]}"} < stdin > actual 2> err || :
  tried=$((tried + 1))
  cmp -s expected actual || { echo "$file: prints something else"; failed=$((failed + 1)); }
  grep -q 'fermata: atomicity:' err || continue
  reports=$((reports + 1))
  grep 'fermata: atomicity:' err
done
echo "$reports of $tried programs report something"
echo "$((tried - failed)) passed, $failed failed"
[ $failed = 0 ] && [ $((100 * reports)) -le "$tried" ]
