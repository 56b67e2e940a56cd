#!/usr/bin/env bash
# Every ```c block of docs/api/*.md and docs/tutorial.md is a program that compiles without a warning and prints its `// expect:` lines.
# It may say `// env: NAME=VALUE`, `// args: …`, `// stdin: …`, `// flags: …` and `// status: N`, as the programs of test/run.
set -eu

lines_of() { sed -n "s|.*// $1: \{0,1\}||p" "$program"; }

for page in "$SRC"/docs/api/*.md "$SRC"/docs/tutorial.md; do
  [ "${page##*/}" != web.md ] || continue # in Chromium, by test/wasm/docs.sh
  name=$(basename "$page" .md)
  awk -v name="$name" '/^```c$/ { on = 1; n++; next } /^```/ { on = 0 } on { print > (name "-" n ".c") }' "$page"
done
# The compilers take turns; with WAYS=all each tries all.
turn=0
for program in *.c; do
  turn=$((1 - turn))
  [ "${WAYS:-}" = all ] || [ $turn = $([ "$CC" = gcc ] && echo 0 || echo 1) ] || continue
  # shellcheck disable=SC2046
  "$FMCC" -O1 -Wall -Wextra -Werror -o it "$program" -pthread $(lines_of flags) || { echo "$program: does not compile"; exit 1; }
  eval "vars=($(lines_of env | tr '\n' ' '))"
  eval "args=($(lines_of args))"
  lines_of stdin > input
  lines_of expect > expected
  status=0
  env FERMATA_TICK=off "${vars[@]}" timeout 20 ./it "${args[@]}" < input > actual 2> errors || status=$?
  diff expected actual || { cat errors; echo "$program: prints something else"; exit 1; }
  [ "$status" = "$(lines_of status | grep . || echo 0)" ] || { cat errors; echo "$program: status $status"; exit 1; }
done
