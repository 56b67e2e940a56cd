# A file of the dialect that another compiler is given: no program comes of it, and the message names fmcc. Where no code is
# made (an editor's check), nothing is said; fmcc itself and C++ units are not concerned.
. "$SRC/test/driver/common.bash"
include=$SRC/build/include
cat > a.c << 'END'
#include <fermata.h>
static async int twice(int x) { return 2 * x; }
async int main(void) {
  auto t = spawn twice(21);
  printf("%d\n", (int)await t);
  return 0;
}
END
# stops WORDS...: that fails, says what to do, and leaves no program.
stops() {
  rm -f prog
  "$@" > out 2> err && fail "$*: succeeds"
  cat out >> err
  has err 'is written in Fermata: compile it with fmcc'
  [ ! -e prog ] || fail "$*: leaves a program"
}
for level in -O0 -O1 -O2 -O3 -g '-O2 -flto' '-std=gnu99 -Wall' -fPIC; do
  # shellcheck disable=SC2086
  stops "$CC" $level -I"$include" -o prog a.c "$SRC/build/lib/libfermata.a" -luv -lpthread
done
stops "$CC" -I"$include" -c -o prog a.c
# In steps: preprocessed first; assembled later (clang stops before that).
"$CC" -I"$include" -E -o a.i a.c
stops "$CC" -o prog a.i
"$CC" -I"$include" -E -P -o p.c a.c
stops "$CC" -o prog p.c
if "$CC" -I"$include" -S -o a.s a.c 2> err; then
  stops "$CC" -o prog a.s
else
  has err 'compile it with fmcc'
fi
# Objects of link-time optimisation hold no code yet; linking makes it.
if "$CC" -flto -I"$include" -c -o a.o a.c 2> err; then
  stops "$CC" -flto -o prog a.o "$SRC/build/lib/libfermata.a" -luv -lpthread
fi
if command -v ccache > path; then
  for _ in 1 2; do
    stops env CCACHE_DIR="$PWD/cache" ccache "$CC" -I"$include" -c -o prog a.c
  done
fi
if command -v tcc > path; then
  tcc -I"$include" -c -o prog a.c 2> err && fail "tcc: succeeds"
  has err 'compile it with fmcc'
fi
# In silence.
quiet() {
  "$@" > out 2>&1 || { cat out; fail "$*: fails"; }
  [ ! -s out ] || { cat out; fail "$*: says something"; }
}
quiet "$CC" -fsyntax-only -I"$include" a.c
for options in '-c -o a.o' -fsyntax-only '-S -o a.s' '-flto -O2 -c -o a.o' '-o prog'; do
  # shellcheck disable=SC2086
  quiet "$FMCC" --cc="$CC" $options a.c
done
[ "$(./prog)" = 42 ] || fail "fmcc's own program"
"$FMCC" --cc="$CC" -E -o b.i a.c
quiet "$FMCC" --cc="$CC" -o prog b.i
[ "$(./prog)" = 42 ] || fail "fmcc -E, then fmcc"
# C that uses the library's plain functions alone.
printf '%s\n' '#define FERMATA_NO_KEYWORDS' '#include <fermata.h>' 'int main(void) { return fm_alive(fm_self()); }' > plain.c
quiet "$CC" -I"$include" -o prog plain.c "$SRC/build/lib/libfermata.a" -luv -lpthread -lm
./prog || fail "plain C"

# A file that does not even parse as C.
sed -n '/^```c/,/^```/{/^```/d;p}' "$SRC/README.md" > a.c
stops "$CC" -I"$include" -c -o prog a.c
