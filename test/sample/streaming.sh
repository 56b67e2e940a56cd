#!/usr/bin/env bash
# The streaming application, in short: its server with many clients, and its page in Chromium. The
# whole play is part of test/long/wasm.sh.
set -eu
[ "$CC" = clang ] || exit 77
for program in emcc node; do
  command -v $program > path || { echo "SKIP: no $program"; exit 77; }
done
[ -e "$SRC/build/lib/wasm32-emscripten/libfermata.a" ] || { echo "SKIP: no library"; exit 77; }
mkdir play
cd play
bash "$SRC/test/wasm/streaming.sh" short
