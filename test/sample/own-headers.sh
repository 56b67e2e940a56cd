# Every header of the compiler is complete by itself: it can be included first, and alone.
cd "$SRC/compiler"
headers=$(find . -name '*.h' | sort)
[ "$(echo "$headers" | wc -l)" -ge 15 ] || fail "headers of the folders are missing: $headers"
for h in $headers; do
  echo "#include \"${h#./}\"" |
    ${BUILD_CC-cc} -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -I. -I../include -x c - ||
    fail "$h does not stand alone"
done
