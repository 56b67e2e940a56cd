#!/usr/bin/env bash
# A small part of test/long/wasm.sh: a few programs as WebAssembly under node, one page in Chromium.
set -eu
[ "$CC" = clang ] || exit 77
for program in emcc node; do
  command -v $program > path || { echo "SKIP: no $program"; exit 77; }
done
[ -e "$SRC/build/lib/wasm32-emscripten/libfermata.a" ] || { echo "SKIP: no library"; exit 77; }

for program in async-sync-deadlock async-race-losers-unwind async-main-end-unwinds-detached \
  async-stream-every-pause async-time-order; do
  mkdir $program
  (cd $program && bash "$SRC/test/wasm/program.sh" $program.c) || { echo $program; exit 1; }
done
# A wait inside of `run` that only the page can end is reported; it does not hang.
cat > hang.c <<'C'
#include <fermata.h>
static asyncdirect void never(fm_completion(void) *k) { (void)k; }
static async void wait(void) { never(); }
int main(void) { run wait(); }
C
"$FMCC" --cc=emcc -o hang.js hang.c
status=0
node --no-experimental-fetch hang.js > out 2> err || status=$?
[ $status != 0 ] && grep -q 'would hang the page' err || { cat err; exit 1; }
# Recursion goes to the heap, with and without optimisation.
for opt in -O0 -O2; do
  "$FMCC" --cc=emcc $opt -o deep.js "$SRC/test/wasm/deep.c"
  [ "$(node --no-experimental-fetch deep.js)" = "999355 100000 1000000" ]
done
# No turn lasts longer than 10 ms.
"$FMCC" --cc=emcc -O2 -o turns.js "$SRC/test/wasm/turns.c"
node --no-experimental-fetch turns.js > out
sed -n 's|.*// expect: ||p' "$SRC/test/wasm/turns.c" | diff - out
mkdir page
cd page
bash "$SRC/test/wasm/pages.sh" events || { status=$?; [ $status = 77 ] || exit $status; }
