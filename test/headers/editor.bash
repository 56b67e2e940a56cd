# editor.bash: what the tests of editors share: which programs an editor must show without a complaint, and how they are read.
# Left out: words as names of every kind; members of an awaitable, whose result no macro can find; a function called `contained`;
# a race in a header, which clangd reads from the disk; noreturn in types of pointers, where clang and gcc differ; glib, if it is not there.
left_out='words-as-names|awaitable\.c|spawn-word-parenthesis|every-pause|async-noreturn\.c|hosted/glib\.c'

programs() { # prints their names: examples, those of the tutorial, run/
  awk '/^```c$/ { on = 1; n++; next } /^```/ { on = 0 } on { print > ("tutorial-" n ".c") }' "$SRC/docs/tutorial.md"
  ls tutorial-*.c
  grep -lE '# *include <fermata' "$SRC"/examples/*.c "$SRC"/examples/*/*.c "$SRC"/test/run/*.c | grep -vE "$left_out"
}

# The options that a program of run/ names.
options_of() { sed -n 's|.*// flags: ||p' "$1" | tr ' ' '\n' | grep -E '^-(D|I|std|Wno-)' || true; }

# reads PROGRAM: clang has nothing to say of the plain view, which has as many characters in each line as the program.
reads() {
  "$SRC/build/bin/fermata-clangd" --show="$1" > view.c
  cmp -s <(tr -c '\n' x < "$1") <(tr -c '\n' x < view.c) || { echo "$1: the view has other lines"; return 1; }
  # shellcheck disable=SC2046
  clang -std=gnu11 $(options_of "$1") -Wall -Wextra -Werror -Wno-unknown-warning-option -fsyntax-only -I"$SRC/build/include" -I"$(dirname "$1")" \
    -isystem /usr/share/include view.c || { echo "$1: squiggles"; return 1; }
}
