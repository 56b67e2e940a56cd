#!/usr/bin/env bash
# The C compiler has nothing to say about our own sources, nor about what fmcc makes of the library.
set -eu

flags="-std=gnu11 -Wall -Wextra -Werror -fsyntax-only -I$SRC/include -I$SRC/compiler -I$SRC/runtime"
failed=0
check() { # COMPILER FILE...
  local compiler=$1 file
  shift
  for file; do
    # for emcc, which shows its warnings when `make wasm` builds them
    case $file in */web/*.c | */drivers/web.c | */library/web*.c) continue ;; esac
    # shellcheck disable=SC2086
    "$compiler" $flags "$file" 2> err || { cat err; failed=1; }
  done
}
check "$CC" "$SRC"/compiler/*.c "$SRC"/compiler/*/*.c "$SRC"/runtime/*/*.c "$SRC"/tools/*.c
export FMCC_CC=$CC
check "$FMCC" "$SRC"/library/*.c
[ "$failed" = 0 ]
