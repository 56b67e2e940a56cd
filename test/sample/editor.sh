# A tool that knows nothing of the dialect parses it without a complaint, with the keywords as the header's macros.
set -eu
[ "$CC" = clang ] || exit 77
clang -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -I"$SRC/include" "$SRC/test/headers/editor.c"
