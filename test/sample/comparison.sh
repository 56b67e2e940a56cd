#!/usr/bin/env bash
# The cases of docs/comparison do what they say, and the table of docs/comparison.md counts their
# lines.
. "$SRC/test/driver/common.bash"
"$SRC/tools/comparison.sh" --check || fail "the table is out of date"
"$FMCC" -Wall -Wextra -O1 -o cases "$SRC/docs/comparison/cases.c" 2> log || { cat log; fail "fmcc"; }
[ ! -s log ] || { cat log; fail "warnings"; }
sed -n 's,.*// expect: ,,p' "$SRC/docs/comparison/cases.c" > wanted
{
  FERMATA_DRIVER=virtual FERMATA_TICK=off ./cases
  ./cases bytes
} > got
diff wanted got || fail "the cases"
