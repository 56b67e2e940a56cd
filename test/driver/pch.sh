# Precompiled headers, with <fermata.h> or without, and units that use them.
. "$SRC/test/driver/common.bash"
printf '#include <fermata.h>\n#include <fermata/time.h>\nstruct bad { int n; };\nasync int f(int) throws(struct bad);\n' > p.h
printf 'async int f(int x) throws(struct bad) { fm_sleep(1); if (x > 9) throw (struct bad){x}; return 2 * x; }\n' > f.c
printf 'async int main(void) { try { return f(4) - 8; } catch (struct bad b) { return b.n; } }\n' > m.c
works() { "$FMCC" -Wall -Wextra "$@" f.c m.c -o prog 2> err || { cat err; fail "$*"; }; [ ! -s err ] || { cat err; fail "$*"; }; ./prog || fail "the program: $*"; }
"$FMCC" -O1 p.h; present p.h.gch
works -O1 -include p.h
works -O1 -include ./p.h
"$FMCC" -O1 -x c-header -c p.h -o other.gch; present other.gch
! is_clang || works -O1 -include-pch other.gch
# As CMake writes it.
"$FMCC" -O1 -Winvalid-pch -x c-header -MD -MT t -MF d -c p.h -o p.h.pch; present p.h.pch; has d fermata.h
! is_clang || works -O1 -Xclang -include-pch -Xclang p.h.pch -Xclang -include -Xclang p.h
is_clang || works -O1 -Winvalid-pch -include p.h
# A mistake is told as always.
echo 'async int g(int) throws(struct none_such;' >> p.h
rm -f p.h.gch p.h.pch; status 1 "$FMCC" p.h; has err p.h:5:; absent p.h.gch
# Plain ones are the compiler's own, and are used, also by units in the dialect.
printf '#include <stdio.h>\n#define NUMBER 3\n' > q.h
"$FMCC" q.h; present q.h.gch
echo 'int main(void) { return NUMBER - 3; }' > n.c; "$FMCC" -Winvalid-pch -include q.h n.c -o prog 2> err; [ ! -s err ] || fail "$(cat err)"; ./prog
printf '#include <fermata.h>\nasync int main(void) { yield; return NUMBER - 3; }\n' > n.c; "$FMCC" -include q.h n.c -o prog; ./prog
if is_clang; then "$FMCC" -include-pch q.h.gch n.c -o prog; ./prog; fi
