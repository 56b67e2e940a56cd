#!/usr/bin/env bash
# pages.sh [NAME...]: compiles the pages of examples/web (or those named) in the current, empty
# directory, and tries them in headless Chromium (browser.js). Exit status 77: there is no browser.
set -eu
[ $# -gt 0 ] && [ "$1" != pages ] || set -- events frames timer fetch socket calls

command -v "${CHROMIUM:-chromium}" > /dev/null || { echo "no chromium"; exit 77; }
for name; do
  "$FMCC" --cc=emcc -Wall -Wextra -O2 -o "$name.js" "$SRC/examples/web/$name.c" > words 2>&1
  [ ! -s words ] || { cat words; exit 1; }
  cp "$SRC/examples/web/$name.html" .
done
node "$SRC/test/wasm/browser.js" . "$@"
