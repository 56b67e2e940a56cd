# With -g and without -O frames keep all that the user can see, also of the library's macros: its users among the tests compile.
. "$SRC/test/driver/common.bash"
for f in "$SRC"/test/run/async-stream-*.c "$SRC"/test/run/async-*chan*.c "$SRC"/test/run/async-*mvar*.c "$SRC"/test/run/async-agent*.c; do
  [ -e "$f" ] || continue
  "$FMCC" -g -I"$SRC/test/run" -fsyntax-only "$f" 2> err || fail "$f: $(grep -m1 error: err)"
done
