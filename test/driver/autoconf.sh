# A project of autoconf and automake.
. "$SRC/test/driver/common.bash"
need autoconf; need automake
cat > configure.ac <<'A'
AC_INIT([demo], [1.0])
AM_INIT_AUTOMAKE([foreign subdir-objects])
AC_PROG_CC
AC_CONFIG_HEADERS([config.h])
AC_CHECK_HEADERS([stdint.h nosuch.h])
AC_CHECK_FUNCS([memcpy no_such_function])
AC_CHECK_SIZEOF([long])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
A
cat > Makefile.am <<'A'
bin_PROGRAMS = demo
demo_SOURCES = main.c sub/part.c part.h
A
mkdir sub
echo 'int part(void);' > part.h
printf '#include "config.h"\n#include "../part.h"\nint part(void) { return SIZEOF_LONG; }\n' > sub/part.c
cat > main.c <<'C'
#include "config.h"
#include "part.h"
#if !defined HAVE_STDINT_H || defined HAVE_NOSUCH_H || !defined HAVE_MEMCPY || defined HAVE_NO_SUCH_FUNCTION
#error "configure found the wrong things"
#endif
int main(void) { return part() - (int)sizeof(long); }
C
autoreconf -i > log 2>&1 || { cat log; fail autoreconf; }
configure() { ./configure CC="$1" > log 2>&1 || { tail -30 config.log; fail "configure with $1"; }; }
configure "$CC"; grep -v '^/\*' config.h > want
make distclean > /dev/null 2>&1
configure "$FMCC"; grep -v '^/\*' config.h > got; same "config.h" got want
grep -q 'GNU C.*yes\|using GNU C.*yes' log || fail "configure does not take fmcc for a GNU C compiler"
make > log 2>&1 || { cat log; fail make; }
./demo || fail "the program made by automake"
touch -d '1 minute' part.h; make -n | grep -q 'main\.' || fail "a changed header does not rebuild main.o"
