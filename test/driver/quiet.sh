# Which async functions cannot pause, what --dump=quiet says of them, and what --list-yields and --frame-report leave out.
. "$SRC/test/driver/common.bash"

cat > q.c <<'C'
#include <fermata.h>
#include <ctype.h>
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
static async int four(const char *s) {
  int h = 0;
  for (int i = 0; i < 4 && s[i]; i++) h = h * 16 + s[i];
  return h;
}
static async int down(const char *s) {
  int i, h = 0;
  for (i = 64; i > 0; i -= 2) h += add(s[i], 1);
  return h;
}
static async int bits(unsigned n) {
  int k, b, s = 0;
  for (k = 0; k < 8; k++)
    for (b = 0; b < 7; b++) s += n >> (k + b) & 1;
  return s;
}
static async int many_bits(unsigned n) {
  int k, b, s = 0;
  for (k = 0; k < 8; k++)
    for (b = 0; b <= 8; b++) s += n >> (k + b) & 1;
  return s;
}
static async int calls_often(int n) {
  for (int i = 0; i < 33; i++) n = add(n, i);
  return n;
}
static async int entered(int n) {
  int i = n;
  switch (n) {
    for (i = 0; i < 4; i++) {
    case 1: n += 2;
    }
  }
  return n;
}
static async int endless(unsigned n) {
  for (unsigned i = 4; i >= 0; i--) n += i;
  return n;
}
static async int upwards(int n) {
  for (int i = 4; i > 0; i++) n += i & 1;
  return n;
}
static async int compares(const char *a, const char *b) {
  for (; tolower(*a) == tolower(*b); a++, (void)b++)
    if (!*a) return 0;
  return 1;
}
static async int skips(const char *a) { while (add(*a, 0) == ' ') a++; return *a; }
static async int around(const char *a) {
  const char *p = a;
  while (!add(*p, 0)) p = *++p ? p : a;
  return *p;
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
  four("1"), down("1"), bits(1), many_bits(1), calls_often(1), entered(1), endless(1), upwards(1);
  compares("1", "2"), skips("1"), around("1");
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
four: quiet, brief; only looks through s
down: quiet; only looks through s
bits: quiet, brief, pure
many_bits: quiet
calls_often: quiet
entered: quiet
endless: quiet
upwards: quiet
compares: quiet
skips: quiet
around: may pause
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
