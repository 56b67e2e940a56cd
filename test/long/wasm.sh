#!/usr/bin/env bash
# wasm.sh [EVERY]: every EVERYth program of test/run that is in the dialect (1: all), as WebAssembly
# under node; without those that test/wasm/left-out.txt names, with reasons. Then the pages of
# examples/web, the programs of docs/api/web.md and the application of examples/streaming in
# Chromium. Ends with `N passed, M failed`.
# Status 77: emcc or node is missing.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
export FMCC=${FMCC:-$root/build/bin/fmcc} SRC=$root
every=${1:-1}
cd "$root"
for program in emcc node; do
  command -v $program > /dev/null || { echo "wasm.sh: no $program"; exit 77; }
done
make --no-print-directory wasm
. test/lib/pool.sh
pool_needs "$FMCC"

left_out() { grep -q "^$1 " test/wasm/left-out.txt; }
programs() {
  local file n=0
  for file in $(cd test/run && grep -lE '\<async\>|fermata' ./*.c); do
    ! left_out "${file#./}" || continue
    n=$((n + 1))
    [ $((n % every)) != 0 ] || echo "${file#./}"
  done
}

programs | pool_run "$root/build/test/wasm" 200 bash "$SRC/test/wasm/program.sh"
for part in pages docs streaming; do
  # the name of a job is its last argument, which the scripts would take as a part
  bash test/lib/one.sh "$root/build/test/wasm" 600 bash -c 'bash "$SRC/test/wasm/$0.sh"' $part
done
pool_summary "$root/build/test/wasm"
