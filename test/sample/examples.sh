#!/usr/bin/env bash
# Each program of examples/ compiles without a word and prints what its `// output:` lines say.
set -eu

for file in "$SRC"/examples/*.c; do
  name=$(basename "$file" .c)
  "$FMCC" --cc="$CC" -O2 -Wall -Wextra -o "$name" "$file" 2> log || { cat log; exit 1; }
  [ ! -s log ] || { echo "$name: the compiler says:"; cat log; exit 1; }
  sed -n 's|^// output: ||p' "$file" > expected
  [ -s expected ] || continue
  "./$name" > printed
  diff expected printed || { echo "$name: wrong output"; exit 1; }
done
