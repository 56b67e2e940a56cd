#!/usr/bin/env bash
# The driver that docs/drivers.md shows is, line for line, the one of test/run/driver-own.c, which is compiled and run.
set -eu

awk '/^## / { on = /^## A complete one/; next } on && /^    / { print substr($0, 5) }' "$SRC/docs/drivers.md" | grep -v '^ *$' > shown
[ "$(wc -l < shown)" -gt 50 ] || { echo "docs/drivers.md shows no driver"; exit 1; }
shown=$(< shown)
program=$(grep -v '^ *$' "$SRC/test/run/driver-own.c")
case $program in
  *"$shown"*) ;;
  *) diff <(printf '%s\n' "$shown") <(printf '%s\n' "$program"); exit 1 ;;
esac
