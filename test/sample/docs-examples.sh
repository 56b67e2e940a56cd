#!/usr/bin/env bash
# Every ```c block of docs/api/*.md is a program that compiles without a warning and prints its `// expect:` lines.
set -eu

for page in "$SRC"/docs/api/*.md; do
  name=$(basename "$page" .md)
  awk -v name="$name" '/^```c$/ { on = 1; n++; next } /^```/ { on = 0 } on { print > (name "-" n ".c") }' "$page"
done
for program in *.c; do
  "$FMCC" -O1 -Wall -Wextra -Werror -o it "$program" -pthread
  sed -n 's|.*// expect: ||p' "$program" > expected
  FERMATA_TICK=off timeout 20 ./it > actual || { echo "$program: status $?"; exit 1; }
  diff expected actual || { echo "$program"; exit 1; }
done
