# What `make install` installs, used for a program of each kind, in the place where it was put and in another.
# clang is for WAYS=all.
. "$SRC/test/driver/common.bash"
! is_clang || [ "${WAYS:-}" = all ] || exit 77
exec 9> "$SRC/build/install.lock"; flock 9
(cd "$SRC" && eval "${BUILD_MAKE:-env -u CC make} --no-print-directory -s install DESTDIR='$OLDPWD/dest' PREFIX=/opt/f") > log 2>&1 9>&- || { tail -5 log; fail "make install"; }
flock -u 9
mkdir place; mv dest/opt/f place/it; root=$PWD/place/it
FMCC=$root/bin/fmcc
present "$root"/bin/fermata "$root"/lib/libfermata.{a,so,so.0,libs} "$root"/lib/libfermata-asan.a "$root"/lib/fermata/asan/libfermata.so
[ ! -e "$SRC/build/share/fermata/report.html" ] || present "$root/share/fermata/report.html"
(cd "$SRC/include" && find . -type f | sort) > want; (cd "$root/include" && find . -type f | sort) > got; same headers got want
# Hardened: stack protector, full RELRO, position-independent, no stack that can be executed.
for f in bin/fmcc bin/fermata lib/libfermata.so; do
  readelf -Wdl "$root/$f" > elf; has elf GNU_RELRO; has elf NOW; ! grep -q 'GNU_STACK.*RWE' elf || fail "$f: the stack"
  readelf -h "$root/$f" > elf; has elf DYN; nm -D "$root/$f" > elf; has elf __stack_chk_fail
done
nm -D "$root/bin/fmcc" > elf; [ -n "${BUILD_MAKE:-}" ] || has elf _chk

# ---- programs ----
cat > a.c <<'A'
#include <fermata.h>
#include <fermata/time.h>
static async int half(int x) { fm_sleep(1); return x / 2; }
async int main(void) { auto t = spawn half(8); printf("%d\n", await t); return 0; }
A
check() { [ "$(timeout 20 "$@" 2> err)" = 4 ] || { cat err; fail "$*"; }; }
"$FMCC" -O1 a.c -o a; check ./a
check "$root/bin/fermata" run a.c
"$FMCC" -O1 -static a.c -o a 2> log || { cat log; fail "-static"; }
check ./a; readelf -l a > elf; lacks elf INTERP
# AddressSanitizer knows which frames have ended: of a function that has returned, of an activity that has ended, and of one in the library.
cat > leak.c <<'A'
#include <fermata.h>
#include <fermata/time.h>
static int *leak;
static async void g(void) { int x = 42; leak = &x; fm_sleep(1); x++; }
static async void f(int *p) { fm_sleep(10); printf("%d\n", *p); }
static async void h(void) { int x = 42; fm_sleep(1); spawn f(&x); }
async int main(int argc, char **argv) {
  (void)argv;
  switch (argc) {
  case 1: g(); break;
  case 2: { auto t = spawn g(); await t; break; }
  case 3: h(); fm_sleep(50); return 0;
  case 4: { auto t = spawn g(); await t; fm_sleep(5); break; }
  default: puts("4"); return 0;
  }
  printf("%d\n", *leak);
  return 0;
}
A
export FERMATA_DRIVER=virtual
"$FMCC" -g -fsanitize=address leak.c -o leak; check ./leak 1 2 3 4
for args in '' 1 '1 2' '1 2 3'; do
  # shellcheck disable=SC2086
  got=0; timeout 20 ./leak $args > out 2> err || got=$?
  [ $got != 0 ] || fail "leak $args: status 0, $(cat out)"; has err use-after-poison
done
"$FMCC" -g -fsanitize=address a.c -o a; check ./a
if ! is_clang; then "$FMCC" -g -fsanitize=thread a.c -o a; check ./a; lacks err Sanitizer; nm a > elf; has elf __tsan; fi
if is_clang; then "$FMCC" -g -fsanitize=memory a.c -o a; check ./a; lacks err Sanitizer; fi
unset FERMATA_DRIVER
# A shared library, with the C compiler's program, with a sanitizer, and with a program that has async code.
printf '#include <fermata.h>\nasync int half_of(int x) { yield; return x / 2; }\nint api(int x) { return run half_of(x); }\n' > lib.c
printf '#include <stdio.h>\nint api(int); int main(void) { printf("%%d\\n", api(8)); return 0; }\n' > use.c
"$FMCC" -fPIC -shared -Wl,--no-undefined lib.c -o lib.so
$CC use.c ./lib.so -o use; check ./use
printf '#include <fermata.h>\nasync int half_of(int);\nasync int main(void) { yield; printf("%%d\\n", half_of(8)); return 0; }\n' > both.c
"$FMCC" both.c ./lib.so -o both; check ./both
"$FMCC" -fsanitize=address both.c ./lib.so -o both; check ./both
readelf -d both > elf; has elf fermata/asan
# gdb knows of async functions.
if command -v gdb > /dev/null; then
  "$FMCC" -g a.c -o a; "$root/bin/fermata" gdb --batch -ex 'help fermata' ./a > out 2>&1 || { cat out; fail gdb; }
  has out 'fermata activities'
fi

# ---- a test of each kind, with what is installed ----
cc=gcc; ! is_clang || cc=clang
T="^(run/async-race-(await|cancelled)\.c |reject/async-race-misused\.c|emit/line-markers|examples/race\.c $cc -O2|stress/sync\.c|driver/positions.* $cc|sample/readme.* $cc|fuzz-found/builtin-w)" \
  FMCC=$FMCC FMCC_ASAN=$FMCC bash "$SRC/test/run.sh" > log 2>&1 || { cat log; fail "tests with what is installed"; }
grep -q '^[1-9][0-9]* passed, 0 failed' log || { cat log; fail "no test was run"; }

# ---- other people's builds ----
cxx=g++; ! is_clang || cxx=clang++
if command -v pkg-config > /dev/null && command -v $cxx > /dev/null; then
  export PKG_CONFIG_PATH=$root/lib/pkgconfig
  printf '#include <fermata.h>\n#include <cstdio>\nextern "C" int api(int);\nint main() { std::printf("%%d\\n", api(8)); return fm_alive(fm_self()); }\n' > main.cc
  "$FMCC" -c lib.c; "$FMCC" -Wall -c main.cc
  # shellcheck disable=SC2046
  $cxx $(pkg-config --cflags fermata) main.cc lib.o $(pkg-config --libs fermata) -Wl,-rpath,"$root/lib" -o cxx; check ./cxx
  # shellcheck disable=SC2046
  $cxx main.o lib.o $("$FMCC" --print-libs) -o cxx; check ./cxx; readelf -d cxx > elf; lacks elf libfermata
  # shellcheck disable=SC2046
  $cxx main.o lib.o $("$FMCC" --print-libs -shared-libfermata) -o cxx; check ./cxx; readelf -d cxx > elf; has elf libfermata
  # shellcheck disable=SC2046
  $cxx -static main.o lib.o $(pkg-config --static --libs fermata) -o cxx 2> log || { cat log; fail "pkg-config --static"; }
  check ./cxx
  # shellcheck disable=SC2046
  $cxx -static main.o lib.o $("$FMCC" --print-libs -static) -o cxx 2> log || { cat log; fail "--print-libs -static"; }
  check ./cxx
fi
if ! is_clang && command -v cmake > /dev/null; then
  mkdir cm; cp a.c lib.c use.c both.c cm
  cat > cm/CMakeLists.txt <<'A'
cmake_minimum_required(VERSION 3.16)
project(demo C)
add_library(half SHARED lib.c)
add_executable(use use.c)
add_executable(both both.c)
add_executable(alone a.c)
target_link_libraries(use half)
target_link_libraries(both half)
target_precompile_headers(alone PRIVATE <fermata.h>)
A
  cmake -S cm -B cm/b -DCMAKE_C_COMPILER="$FMCC" > log 2>&1 && cmake --build cm/b > log 2>&1 || { cat log; fail "cmake"; }
  for p in use both alone; do check cm/b/$p; done
fi
if is_clang && command -v meson > /dev/null && command -v ninja > /dev/null; then
  mkdir me; cp lib.c use.c both.c me
  printf "project('demo', 'c')\nhalf = shared_library('half', 'lib.c')\nexecutable('use', 'use.c', link_with: half)\nexecutable('both', 'both.c', link_with: half)\n" > me/meson.build
  CC=$FMCC meson setup me/b me > log 2>&1 && ninja -C me/b > log 2>&1 || { cat log; fail "meson"; }
  for p in use both; do check me/b/$p; done
fi

# ---- uninstall ----
mkdir -p dest/opt; cp -a "$root" dest/opt/f
(cd "$SRC" && eval "${BUILD_MAKE:-env -u CC make} --no-print-directory -s uninstall DESTDIR='$OLDPWD/dest' PREFIX=/opt/f") > log 2>&1
[ -z "$(find dest -type f -o -type l)" ] || fail "uninstall leaves $(find dest -type f -o -type l)"
