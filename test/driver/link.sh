# The runtime is linked when, and only when, something needs it.
. "$SRC/test/driver/common.bash"
fake_root
links() { "$FMCC" '-###' "$@" 2>&1 | grep -q libfermata.a; }
with() { links "$@" || fail "expected libfermata with: $*"; }
without() { ! links "$@" || fail "expected no libfermata with: $*"; }
dialect d.c; dialect e.c e
echo 'int main(void) { return 0; }' > p.c
echo 'int e(void); int main(void) { return e() - 42; }' > m.c
"$FMCC" -c d.c e.c p.c m.c
with d.o; without p.o; without p.c; with d.c
without -c d.c; without d.o -nostdlib; without d.o -nodefaultlibs; without -r d.o; without -shared d.o
"$FMCC" d.o -o prog; ./prog
"$FMCC" p.o -o prog; mv prog ours; $CC p.o -o prog; same "a plain link" ours prog
# In archives, thin ones, -l, -l:, and shared libraries.
ar rcs libe.a e.o; with m.o libe.a; with m.o -L. -le; with m.o -L . -l e; with m.o -L. -l:libe.a; without m.o -lm
"$FMCC" m.o -L. -le -o prog; ./prog
mkdir sub; cp e.o sub; (cd sub && ar rcsT libthin.a e.o); with m.o sub/libthin.a
cp e.o a_member_with_a_long_name.o; ar rcs liblong.a p.o a_member_with_a_long_name.o; with liblong.a
$CC -shared -fPIC -o libs.so -x c - <<< 'int fm_answer(void); int e(void) { return fm_answer(); }'
with m.o libs.so; "$FMCC" m.o libs.so -Wl,-rpath,"$PWD" -o prog; ./prog
# After -x, where a library must not be read as C; with linker flags at the end.
"$FMCC" -x c d.c -o prog; ./prog
"$FMCC" -x c m.c -x none e.o -x c -o prog; ./prog
# fm_ names of the program's own need nothing; neither do static ones.
echo 'int fm_mine(void) { return 0; }' > own.c; echo 'int fm_mine(void); int main(void) { return fm_mine(); }' > use.c
$CC -c own.c use.c; without own.o use.o; with use.o
# Link-time optimisation.
"$FMCC" -flto -c d.c -o lto.o
with -flto lto.o
if ! is_clang; then "$FMCC" -flto lto.o -o prog; ./prog; "$FMCC" -flto d.c -o prog; ./prog; fi
# What else the runtime needs is said by its build.
echo '-lm -ldl' > root/lib/libfermata.libs
"$FMCC" '-###' d.c 2> err; has err 'libfermata.a -lpthread -lm -ldl'
"$FMCC" d.c -o prog; ./prog
# Without a library nothing is added: the linker says what is missing.
mv root/lib/libfermata.a kept
status 1 "$FMCC" d.o -o prog; has err fm_answer
mv kept root/lib/libfermata.a
# Broken files are the linker's business: no crash.
head -c 100 d.o > cut.o; head -c 300 libe.a > cut.a; printf '!<arch>\n' > none.a; : > empty.o
for n in 40 41 48 58 60 62; do # section table offset, sizes, counts
  cp d.o bent$n.o; printf '\377\377\377\377' | dd of=bent$n.o bs=1 seek=$n conv=notrunc 2> /dev/null
done
{ printf '!<thin>\n'; printf '%-48s%-10s`\n' '//' 10; printf 'self.a/\n\n\n'; printf '%-48s%-10s`\n' '/0' 10; } > self.a
for f in cut.o cut.a none.a empty.o bent*.o self.a .; do
  got=0; "$FMCC" p.o "$f" -o prog > out 2>&1 || got=$?
  [ $got -le 1 ] || fail "$f: expected status 0 or 1, got $got"
done
