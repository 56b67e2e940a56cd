#!/usr/bin/env bash
# run.sh: fuzzes the lexer, parser, checker and printer with AFL++ under ASan and UBSan, for
# FUZZ_SECONDS (60), on JOBS cores, from fuzz/corpus and the inputs in test/fuzz-found. Status 1
# when something crashed or hung; the inputs are then in build/fuzz/found, and belong into
# test/fuzz-found once understood. build/fuzz/replay FILE shows the report.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
work=$root/build/fuzz
seconds=${FUZZ_SECONDS:-60}
jobs=${JOBS:-$(nproc)}
sanitize="-fsanitize=address,undefined -fno-sanitize-recover=all"

sources() { ls "$root"/compiler/*.c "$root"/compiler/*/*.c | grep -v '/main\.c$'; }

build() {
  mkdir -p "$work"
  # shellcheck disable=SC2046,SC2086
  clang -std=gnu11 -O1 -g $sanitize -I"$root/compiler" -o "$work/replay" "$root/fuzz/harness.c" $(sources)
  # shellcheck disable=SC2046,SC2086
  AFL_QUIET=1 AFL_USE_ASAN=1 AFL_USE_UBSAN=1 \
    afl-clang-fast -std=gnu11 -O2 -g -fno-sanitize-recover=all -I"$root/compiler" -o "$work/harness" "$root/fuzz/harness.c" $(sources)
}

seeds() {
  rm -rf "$work/seeds" "$work/out" "$work/found"
  mkdir -p "$work/seeds" "$work/out" "$work/found"
  cp "$root"/fuzz/corpus/*.i "$work/seeds"
  for file in "$root"/test/fuzz-found/*.i; do
    [ ! -f "$file" ] || cp "$file" "$work/seeds"
  done
}

# The seeds themselves must pass: then whatever is found is new.
try_seeds() {
  local file
  for file in "$work/seeds"/*; do
    timeout 10 "$work/replay" "$file" > "$work/replay.log" 2>&1 || { tail -n 40 "$work/replay.log"; echo "run.sh: the seed ${file##*/} fails"; exit 1; }
  done
}

fuzzer() {
  AFL_NO_UI=1 AFL_QUIET=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_HANG_TMOUT=5000 \
    afl-fuzz -i "$work/seeds" -o "$work/out" -x "$root/fuzz/c.dict" -m none -t 2000+ -V "$seconds" "$@" -- "$work/harness" \
    > "$work/$2.log" 2>&1
}

fuzz() {
  local i pids=()
  for i in $(seq 2 "$jobs"); do
    fuzzer -S "second$i" & pids+=($!)
  done
  fuzzer -M first & pids+=($!)
  for i in "${pids[@]}"; do wait "$i" || { tail -n 20 "$work"/*.log; echo "run.sh: afl-fuzz failed"; exit 1; }; done
}

# Copies what was found to one place; prints how much was tried.
report() {
  local file n=0 executions
  executions=$(cat "$work"/out/*/fuzzer_stats | awk -F' *: *' '$1 == "execs_done" { n += $2 } END { print n }')
  for file in "$work"/out/*/crashes/id* "$work"/out/*/hangs/id*; do
    [ -f "$file" ] || continue
    n=$((n + 1))
    cp "$file" "$work/found/$(basename "$(dirname "$file")")-$n.i"
  done
  echo "fuzz: $executions executions in $seconds s on $jobs cores, $n crashes and hangs"
  [ $n = 0 ] || { echo "fuzz: see build/fuzz/found; build/fuzz/replay FILE shows the report"; exit 1; }
}

build
seeds
try_seeds
fuzz
report
