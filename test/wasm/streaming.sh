#!/usr/bin/env bash
# streaming.sh [PART...]: builds examples/streaming into the current, empty directory, compares its
# figures with those of a simpler program (window.c), tries its server with many clients
# (streaming-server.js), and plays a user of its page in headless Chromium (streaming.js; without
# PARTs: all of it). Exit status 77: there is no browser, or no npm.
set -eu
command -v "${CHROMIUM:-chromium}" > /dev/null || { echo "no chromium"; exit 77; }
why=$(cd "$SRC" && tools/npm.sh) || { echo "$why"; exit 77; }

# No compiler has a word to say, but for emcc's, which makes its libraries when they are first used.
build() { # OUT VARIABLE=VALUE... TARGET
  make -s -C "$SRC/examples/streaming" OUT="$PWD/$1" FMCC="$FMCC" CC="${CC:-gcc}" "${@:2}" \
    > words 2>&1 || { cat words; exit 1; }
  ! grep -vE '^(cache|system_libs):' words || exit 1
}

"${CC:-gcc}" -O1 -Wall -Wextra -o window "$SRC/test/wasm/window.c" \
  "$SRC"/examples/streaming/{window,market}.c -lm
./window || { echo "window.c"; exit 1; }
build out all
node "$SRC/test/wasm/streaming-server.js" out/server out/site
node "$SRC/test/wasm/streaming.js" out/server out/site "$@"
if [ $# = 0 ] && [ -e "$SRC/build/lib/libfermata-asan.a" ]; then
  build asan CFLAGS='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover' "$PWD/asan/server"
  node "$SRC/test/wasm/streaming-server.js" asan/server out/site 100
fi
