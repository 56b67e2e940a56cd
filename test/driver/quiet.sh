# Which async functions cannot pause, what --dump=quiet says of them, and what --list-yields and --frame-report leave out.
. "$SRC/test/driver/common.bash"

cat > q.c <<'C'
#include <fermata.h>
#include <string.h>

static int flag;
void unknown(void);
async int outside(int n);
static async int add(int a, int b) { return a + b; }
static async int get(void) { return flag; }
static async int looped(const int *v, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s = add(s, v[i]);
  return s;
}
static async int waits(void) { while (!add(flag, 0)) ; return 1; }
static async int recursive(int n) { return n ? recursive(n - 1) : 0; }
static async int copies(char *to, const char *from) { memcpy(to, from, strlen(from) + 1); return 1; }
static async void calls_unknown(void) { unknown(); }
static async int through(async int (*f)(int)) { return f(1); }
static async int large(int n) { char a[5000] = { 0 }; a[n] = 1; return a[n + 1]; }
static async int calls_outside(int n) { return outside(n); }
static inline async int inlined(int n) { return n; }
inline async int only_inline(int n) { return n; }
async int global(int n) { return n + 1; }
__attribute__((weak)) async int weak(int n) { return n; }
struct bad { int n; };
static async int throws_it(int n) throws(struct bad) { if (n) throw (struct bad){ n }; return n; }
async int all(int n) throws(struct bad) {
  int v[2] = { 1, 2 }, found = n, kept = n, *p = &kept;
  copies((char *)&found, "a");
  get(), waits(), recursive(1), calls_unknown(), through(global), large(1), calls_outside(1);
  return looped(v, 2) + inlined(1) + only_inline(1) + global(1) + weak(1) + throws_it(1) + *p;
}
C

classes() { sed -n 's/^q\.c:[0-9]*: //p' out; }
status 0 "$FMCC" --dump=quiet q.c
classes > classes
cat > expected <<'E'
add: quiet, brief, pure
get: quiet, brief
looped: quiet; only looks through v
waits: may pause
recursive: may pause
copies: quiet, brief; only looks through to, from
calls_unknown: may pause
through: may pause
large: may pause
calls_outside: may pause
inlined: quiet, brief, pure
only_inline: may pause
global: quiet, brief, pure
weak: may pause
throws_it: may pause
all: may pause; only lends found
E
same "--dump=quiet" expected classes

# What another library may define as well is not known to be quiet; -fPIE takes that back.
status 0 "$FMCC" -fPIC --dump=quiet q.c
classes | grep -qx 'global: may pause' || fail "global is quiet with -fPIC"
classes | grep -qx 'add: quiet, brief, pure' || fail "add is not quiet with -fPIC"
status 0 "$FMCC" -fPIC -fPIE --dump=quiet q.c
classes | grep -qx 'global: quiet, brief, pure' || fail "global is not quiet with -fPIE"
sed '1i #pragma weak global' q.c > w.c
status 0 "$FMCC" --dump=quiet w.c
grep -q 'global: may pause' out || fail "a weak function is quiet"

# Without automatic yields nothing in a plain call can pause; with yields in loops a loop can.
status 0 "$FMCC" -fauto-yield=off --dump=quiet q.c
classes | grep -qx 'calls_unknown: quiet' || fail "calls_unknown is not quiet without automatic yields"
status 0 "$FMCC" -fauto-yield=loops --dump=quiet q.c
classes | grep -qx 'looped: may pause' || fail "looped is quiet though its loop yields"

# The reports have what is left.
status 0 "$FMCC" --list-yields q.c
! grep -E ' (add|get|looped|copies|inlined|global): ' out || fail "--list-yields names functions that cannot pause"
grep -q ' waits: automatic yield' out || fail "--list-yields: a loop that waits has no yield"
status 0 "$FMCC" --frame-report q.c
grep -A12 ' all: frame' out | grep -q 'kept (has an address)' || fail "--frame-report: kept has no address"
! grep 'found (has an address)' out || fail "--frame-report: found has an address"
