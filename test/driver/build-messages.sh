# What the build says: one line for a step, the command of one that fails, and in words what is
# missing before anything is built.
. "$SRC/test/driver/common.bash"
status 0 "$SRC/tools/step.sh" CC a/b.c true -x; echo '  CC       a/b.c' > want; same step out want
[ ! -s err ] || fail "step.sh complains"
status 3 "$SRC/tools/step.sh" CC a/b.c sh -c 'exit 3'; has err 'FAILED   sh -c exit 3'

needs=$SRC/tools/needs.sh
status 0 "$needs" "$CC" -O2; [ ! -s err ] && [ ! -s out ] || fail "needs.sh complains"
status 1 "$needs" no-such-compiler; has err 'no C compiler called no-such-compiler'
has err 'apt-get install gcc'
# A compiler without libuv, with its headers alone, and without the C library.
without() { printf '#!/bin/sh\ncase "$*" in %s) exit 1 ;; esac\nexec %s "$@"\n' "$1" "$CC" > cc; }
without '*-luv*'; chmod +x cc
status 1 "$needs" ./cc; has err 'apt-get install libuv1-dev'
without '*-x*'
status 1 "$needs" ./cc; has err 'apt-get install gcc libc6-dev'
