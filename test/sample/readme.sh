# The program of README.md: built by the command that stands there, it prints what stands there.
. "$SRC/test/driver/common.bash"
command=$(sed -n 's/^    \$ build\/bin\/\(fmcc .*\)/\1/p' "$SRC/README.md" | head -n 1)
[ -n "$command" ] || fail "no command in README.md"
source=$(sed -n 's/.* \([^ ]*\.c\) &&.*/\1/p' <<< "$command")
awk '/^```c$/ { on = 1; next } /^```$/ { exit } on' "$SRC/README.md" > "$source"
awk '/^    \$ build\/bin\/fmcc/ { on = 1; next } on && !/^    / { exit } on' "$SRC/README.md" |
  sed 's/^    //' > want
[ -s want ] || fail "no output in README.md"
mkdir bin; ln -s "$FMCC" bin/fmcc
PATH=$PWD/bin:$PATH timeout 60 bash -c "${command/-O2/-O2 -Wall -Wextra}" > got 2> log || {
  cat log
  fail "$command: status $?"
}
[ ! -s log ] || { cat log; fail "the compiler has something to say"; }
same output got want
# Two screens, and links that lead somewhere.
[ "$(wc -l < "$SRC/README.md")" -le 120 ] || fail "README.md is longer than two screens"
for link in $(grep -o '](\([^)]*\))' "$SRC/README.md" | tr -d '])(' ); do
  [ -e "$SRC/$link" ] || fail "README.md: $link does not exist"
done
