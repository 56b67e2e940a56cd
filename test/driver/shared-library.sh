# Shared libraries with async code: linked without undefined names, used by plain programs, by programs with async code and by Python;
# there is one runtime in each of these processes.
. "$SRC/test/driver/common.bash"
needed() { readelf -d "$1" | grep NEEDED; }
cat > one.c <<'A'
#include <fermata.h>
#include <fermata/time.h>
async int twice(int x) { fm_sleep(1); return 2 * x; }
static async int work(int x) { auto t = spawn twice(x); return await t + 1; }
int api(int x) { return run work(x); }
fm_activity current(void) { return fm_self(); }
A
cat > two.c <<'A'
#include <fermata.h>
async int twice(int x);
async int four_times(int x) { yield; return twice(twice(x)); }
A
"$FMCC" -O1 -fPIC -shared -Wl,--no-undefined -Wl,--as-needed one.c -o libone.so
needed libone.so > out; has out 'libfermata.so.0'
"$FMCC" -O1 -fPIC -shared -Wl,--no-undefined two.c -L. -lone -Wl,-rpath,"$PWD" -o libtwo.so
# A plain program that the C compiler links, and one that fmcc links: they need nothing of ours themselves.
echo 'int api(int); int main(void) { return api(4) - 9; }' > plain.c
$CC plain.c -L. -lone -Wl,-rpath,"$PWD" -o plain; ./plain || fail "a program that $CC links"
"$FMCC" plain.c -L. -lone -Wl,-rpath,"$PWD" -o plain; ./plain || fail "a plain program"
needed plain > out; lacks out libfermata
# A program with async code of its own: all three share the runtime, so that one can wait for what another does.
cat > main.c <<'A'
#include <fermata.h>
async int twice(int x), four_times(int x);
fm_activity current(void);
async int main(void) {
  auto t = spawn four_times(1);
  int sum = twice(3) + await t;
  fm_activity here = fm_self(), there = current();
  printf("%d %d\n", sum, here.node == there.node);
  return 0;
}
A
run_main() { [ "$(timeout 10 "$@")" = '10 1' ] || fail "$*: $(timeout 10 "$@" 2>&1)"; }
"$FMCC" -O1 main.c -L. -ltwo -lone -Wl,-rpath,"$PWD" -o main; run_main ./main
needed main > out; has out libfermata.so.0
"$FMCC" -O1 -c main.c; "$FMCC" main.o libtwo.so libone.so -Wl,-rpath,"$PWD" -o main; run_main ./main
# Without a shared library a program contains the runtime.
echo '#include <fermata.h>
async int main(void) { yield; return 0; }' > alone.c
"$FMCC" alone.c -o alone; needed alone > out; lacks out libfermata; ./alone
"$FMCC" -shared-libfermata alone.c -o alone; needed alone > out; has out libfermata; ./alone
"$FMCC" -shared-libfermata --no-rpath alone.c -o alone; readelf -d alone > out; lacks out RUNPATH
# Loaded later: into a program without a runtime, with the shared one, with one that it exports, with one of its own.
cat > load.c <<'A'
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
  void *l = dlopen("./libone.so", RTLD_NOW);
  int (*api)(int) = l ? (int (*)(int))dlsym(l, "api") : NULL;
  if (!api) puts(dlerror());
  return api ? api(4) - 9 : 1;
}
A
cat > load-async.c <<'A'
#include <fermata.h>
#include <dlfcn.h>
async int main(void) {
  yield;
  void *l = dlopen("./libone.so", RTLD_NOW);
  fm_activity (*current)(void) = l ? (fm_activity (*)(void))dlsym(l, "current") : NULL;
  return !current || current().node != fm_self().node;
}
A
$CC load.c -o load; ./load || fail "dlopen by a plain program"
"$FMCC" -shared-libfermata load-async.c -o load; timeout 10 ./load || fail "dlopen with -shared-libfermata"
"$FMCC" -rdynamic load-async.c -o load; timeout 10 ./load || fail "dlopen with -rdynamic"
"$FMCC" load-async.c -o load; got=0; timeout 10 ./load 2> err || got=$?
[ $got = 134 ] || fail "two runtimes: status $got"; has err 'link the program with -shared-libfermata, or with -rdynamic'
if command -v python3 > /dev/null; then
  python3 -c 'import ctypes; l = ctypes.CDLL("./libone.so"); assert l.api(4) == 9; assert l.api(5) == 11' || fail "Python's ctypes"
fi
# -fvisibility=hidden hides the library's own functions, not those that it exports, nor the runtime's.
sed 's/^int api/__attribute__((visibility("default"))) int api/' one.c > hidden.c
"$FMCC" -O1 -fvisibility=hidden -fPIC -shared -Wl,--no-undefined hidden.c -o libone.so
nm -D --defined-only libone.so > out; has out api; lacks out twice
./plain || fail "with -fvisibility=hidden"
