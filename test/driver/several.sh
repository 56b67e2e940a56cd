# Many files at once: units of both kinds, objects, archives; what fails does not stop the others.
. "$SRC/test/driver/common.bash"
fake_root
dialect d1.c d1; dialect d2.c d2
echo 'int p1(void) { return 1; }' > p1.c; echo 'int p2(void) { return 2; }' > p2.c
cat > main.c <<'C'
int d1(void), d2(void), p1(void), p2(void), s(void);
int main(void) { return d1() + d2() + p1() + p2() + s() == 90 ? 0 : 1; }
C
echo 'int s(void) { return 3; }' > t.c; $CC -S t.c -o s.s
"$FMCC" -c d1.c p1.c d2.c p2.c main.c s.s
present d1.o p1.o d2.o p2.o main.o s.o
"$FMCC" d1.o p1.o d2.o p2.o main.o s.o -o prog; ./prog || fail "the linked program"
rm -f *.o prog
"$FMCC" main.c d1.c p1.c d2.c p2.c s.s -o prog; ./prog || fail "compiled and linked at once"
absent d1.o p1.o main.o s.o
# As sources, objects, an archive and a -x in between.
"$FMCC" -c d1.c p1.c; ar rcs libone.a d1.o p1.o; rm d1.o p1.o
cp p2.c p2.txt
"$FMCC" main.c -x c p2.txt d2.c -x assembler s.s -x none -L. -lone -o prog; ./prog || fail "mixed with -x"
"$FMCC" main.c p2.c d2.c s.s libone.a -o prog -DUNUSED -I. -include p1.c 2> err || true
"$FMCC" -DX -I. -MMD -Wall -Werror main.c d1.c p1.c d2.c p2.c s.s -o prog; ./prog || fail "with options for the preprocessor"
# One fails: the others are compiled, nothing is linked.
rm -f *.o prog; { echo '#include <fermata.h>'; echo 'int main(void) { return nothing; }'; } > bad.c
status 1 "$FMCC" -c d1.c bad.c p1.c; present d1.o p1.o; absent bad.o
status 1 "$FMCC" main.c d1.c bad.c -o prog; absent prog
status 1 "$FMCC" -c d1.c nosuch.c p1.c; has err 'nosuch.c'
# Two units of one name.
mkdir x y; dialect x/f.c fx; dialect y/f.c fy
echo 'int fx(void), fy(void); int main(void) { return fx() - fy(); }' > m.c
"$FMCC" m.c x/f.c y/f.c -o prog; ./prog || fail "two files of one name"
# A name as long as a file system takes.
long=$(printf 'x%.0s' $(seq 250)); dialect $long.c; "$FMCC" $long.c -o prog; ./prog || fail "a long name"
