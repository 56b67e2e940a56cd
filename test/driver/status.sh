# Exit statuses and messages for what is wrong.
. "$SRC/test/driver/common.bash"
fake_root
echo 'int main(void) { return 0; }' > a.c; cp a.c b.c; dialect d.c; cp d.c d2.c
status 1 "$FMCC"; has err 'fmcc: error: no input files'
status 1 "$FMCC" -c; has err 'no input files'
status 1 "$FMCC" -c a.c b.c -o x.o; has err "fmcc: error: -o names one output"
status 1 "$FMCC" -c d.c d2.c -o x.o; has err "-o names one output"; absent x.o
status 1 "$FMCC" -c nosuch.c; has err 'fmcc: error: nosuch.c: No such file'
status 1 "$FMCC" --emit-c nosuch.c; has err 'fmcc: error: nosuch.c'
mkdir dir.c; status 1 "$FMCC" -c dir.c; has err 'dir.c: Is a directory'
if [ "$(id -u)" != 0 ]; then cp a.c secret.c; chmod 0 secret.c; status 1 "$FMCC" -c secret.c; has err 'Permission denied'; fi
status 1 "$FMCC" --translate=sideways -c a.c; has err "unknown translation mode 'sideways'"
FMCC_TRANSLATE=nonsense status 1 "$FMCC" -c a.c; has err nonsense
FMCC_TRANSLATE=nonsense status 0 "$FMCC" --translate=auto -c a.c
status 1 "$FMCC" --cc=/nonexistent/cc -c a.c; has err "/nonexistent/cc"
status 1 "$FMCC" --cc=fmcc -c a.c; has err "fmcc itself"
status 1 "$FMCC" --emit-c; has err 'no input files'
printf '' > x.s; status 1 "$FMCC" --emit-c x.s; has err 'needs a C file'
status 1 "$FMCC" --emit-c a.c b.c -o x.c; has err 'takes one C file'
status 1 "$FMCC" -c a.c -o
status 1 "$FMCC" d.c -o /nonexistent/dir/prog
status 1 "$FMCC" --emit-c d.c -o /nonexistent/x.c; has err '/nonexistent/x.c'
: > empty.c; "$FMCC" -c empty.c; "$FMCC" --translate=verbatim -c empty.c -o e2.o; present empty.o e2.o
# The status of the failing tool, and of one that a signal ended.
printf '#!/bin/sh\ncase " $* " in *" -E "*) exec "$REAL" "$@";; esac\nexit 7\n' > seven; chmod +x seven
printf '#!/bin/sh\ncase " $* " in *" -E "*) exec "$REAL" "$@";; esac\nkill -SEGV $$\n' > dies; chmod +x dies
export REAL=$CC
status 7 "$FMCC" --cc=./seven -c a.c
status 7 "$FMCC" --cc=./seven -c d.c
status 139 "$FMCC" --cc=./dies -c d.c; has err 'signal 11'
# An error while preprocessing a unit in the dialect is told once, and not as an error about the dialect.
printf '#include <fermata.h>\n#error stop here\nasync int f(void);\n' > e.c
status 1 "$FMCC" -c e.c; has err 'stop here'; lacks err async
printf '#include <fermata.h>\n#include "nosuch.h"\n' > e.c
status 1 "$FMCC" -c e.c; has err nosuch.h; lacks err 'fermata.h: No'
# Warnings of the preprocessor come once.
printf '#include <fermata.h>\n#warning look here\nint x;\n' > w.c
"$FMCC" -c w.c 2> err; [ "$(grep -c 'warning: .*look here' err)" = 1 ] || { cat err; fail "expected one warning"; }
# The input is not written over.
cp d.c keep.c; status 1 "$FMCC" -c d.c -o d.c; has err 'both input and output'; same "the source" d.c keep.c
status 1 "$FMCC" --emit-c d.c -o ./d.c; same "the source" d.c keep.c
# What the compiler says about options comes once.
if is_clang; then "$FMCC" -Wno-such-warning -c d.c 2> err; n=$(grep -c 'unknown warning option' err) || true
else "$FMCC" -fno-rtti -c d.c 2> err; n=$(grep -c 'valid for C++' err) || true; fi
[ "$n" = 1 ] || { cat err; fail "expected one complaint about the option, got $n"; }
