# Options in all their spellings: the object that went through the translator is the compiler's own.
. "$SRC/test/driver/common.bash"
mkdir -p inc "sp ace" sys
echo '#define A 1' > inc/a.h; echo '#define B 2' > "sp ace/b.h"; echo '#define C 3' > sys/c.h; echo '#define D 4' > d.h
cat > a.c <<'C'
#if defined WANT_A
#include <a.h>
#endif
#if defined WANT_B
#include "b.h"
#endif
#ifndef D
#define D 0
#endif
char name[] = __FILE__;
int x = A + B + D;
double f(double y) { return y * x; }
C
check() {
  "$FMCC" --translate=verbatim "$@" -c a.c -o x.o 2> got || { cat got; fail "$*"; }
  mv x.o ours.o
  $CC "$@" -c a.c -o x.o 2> want || fail "$CC $*"
  same "$*" ours.o x.o
  same "messages of $*" got want
}
check -DA=1 -DB=2
check -D A=1 -D B=2 -U D
check -DA -UA -DA=7 -DB=1 -O2
check -DWANT_A -Iinc -DB=1
check -DWANT_A -I inc -DB=1
check -DWANT_A -isystem inc -DB=1
check -DWANT_A -isysteminc -DB=1
check -DWANT_B -DA=1 -iquote "sp ace"
check -DWANT_A -idirafter inc -DB=1
check -include d.h -DA=1 -DB=2
check -imacros d.h -DA=1 -DB=2
check -include sys/c.h -include d.h -DA=C -DB=2
check -DA=1 -DB=1 -std=c99 -pedantic
check -DA=1 -DB=1 -ansi -O1 -fno-strict-aliasing -fPIC -fno-builtin -m64 -msse2 -mtune=generic
check -DA=1 -DB=1 -Wall -Wextra -Werror -Wp,-DX=1 -Wa,--noexecstack -Xassembler --noexecstack -Xpreprocessor -DZ -pipe -pthread
check -DA=1 -DB=1 -g0 -fno-common -funsigned-char -fshort-enums -fvisibility=hidden -ffunction-sections -finput-charset=UTF-8
check -DA=1 -DB=1 --sysroot=/ -nostdinc -undef -trigraphs
check "-DA=sizeof \"a b\\\"c\"" -DB=1
check -x c -DA=1 -DB=1
check -xc -DA=1 -DB=1
if is_clang; then
  check -DA=1 -DB=1 -Xclang -fno-caret-diagnostics -mllvm -inline-threshold=10 -target x86_64-linux-gnu
  check -DA=1 -DB=1 --target=x86_64-linux-gnu -Werror -Wunused-command-line-argument
else
  check -DA=1 -DB=1 --param max-inline-insns-single=20 --param=inline-unit-growth=9 -frandom-seed=x
  check -DA=1 -DB=1 -fmax-errors=3 -fdiagnostics-color=never
fi
# The forms of -o, and default names.
mkdir -p out src; cp a.c src/b.c
"$FMCC" --translate=verbatim -DA=1 -DB=1 -c src/b.c; present b.o
"$FMCC" --translate=verbatim -DA=1 -DB=1 -S src/b.c; present b.s
"$FMCC" --translate=verbatim -DA=1 -DB=1 -c src/b.c -oout/j.o; present out/j.o
"$FMCC" --translate=verbatim -DA=1 -DB=1 -S src/b.c -o out/k.s; $CC -DA=1 -DB=1 -S src/b.c -o k.s; same -S out/k.s k.s
# An .i file, by suffix and by -x.
$CC -DA=1 -DB=1 -E a.c -o p.i
"$FMCC" --translate=verbatim -c p.i; present p.o
cp p.i q.txt
"$FMCC" --translate=verbatim -x cpp-output -c q.txt -o q.o; $CC -c p.i -o p2.o
same "from .i" p.o p2.o
# -fsyntax-only leaves nothing.
mkdir syn; cd syn
"$FMCC" --translate=verbatim -DA=1 -DB=1 -fsyntax-only ../a.c
[ -z "$(ls)" ] || fail "-fsyntax-only left $(ls)"
cd ..
# Preprocessing is the compiler's; fermata.h is found.
fake_root
dialect d.c
"$FMCC" -E d.c > e; has e '#pragma fermata'
"$FMCC" -M d.c > e; has e 'root/include/fermata.h'
"$FMCC" -MM d.c > e; lacks e fermata.h
# Other languages and assembler go straight on.
echo 'int s(void) { return 3; }' > s.c; $CC -S s.c -o s.s; rm s.c
"$FMCC" -c s.s; present s.o
printf '#define N nop\nN\n' > up.S; "$FMCC" -c up.S; present up.o
if command -v g++ > /dev/null; then echo 'template <class T> T f(T x) { return x; } int y = f(3);' > t.cc; "$FMCC" -c t.cc; present t.o; fi
# What answers questions is passed on.
for q in -dumpversion -dumpmachine -print-search-dirs -print-file-name=libc.a; do
  "$FMCC" $q > got; $CC $q > want; same "$q" got want
done
"$FMCC" -v 2> got; $CC -v 2> want; same -v got want
