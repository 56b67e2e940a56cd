# The demo: it compiles in silence, shows what it promises, and fits a terminal of 80 columns.
. "$SRC/test/driver/common.bash"
(cd "$SRC" && "$FMCC" -O2 -Wall -Wextra -o "$OLDPWD/demo" examples/demo/*.c) > log 2>&1 ||
  { cat log; fail "does not compile"; }
[ ! -s log ] || { cat log; fail "the compiler has something to say"; }
# Its excerpts of the source are found from the top of the tree.
(cd "$SRC" && timeout 60 "$OLDPWD/demo") > out || fail "exit status $?"
has out 'for (;;) spawn serve(fm_accept(listening));'
has out 'without atomic: the counter is 1000'
has out 'with atomic:    the counter is 2000'
has out 'the second answered, after 30 ms'
has out 'no answer in 100 ms'
has out '4 of 4 connections are closed'
clients=$(sed -n 's/.* → \([0-9]*\) clients connected and answered in .*/\1/p' out)
[ "$clients" -ge 50 ] || fail "$clients clients"
has out "$((2 * clients + 1)) activities wait now"
has out "for a timer  × $clients"
has out "for a descriptor  × $clients"
has out "$((2 * clients + 1)) activities have ended, $((2 * clients)) of them closed a connection"
grep -q -E ' ([0-9]+) descriptors were open before, \1 are open now' out || fail "descriptors"
! LC_ALL=C.UTF-8 grep -n -E '.{81}' out || fail "more than 80 columns"
