# -Wreturn-type in the body of a job: the same warnings as in a function with this body, at the same
# line and column, once; and none where the function has none.
. "$SRC/test/driver/common.bash"

cat > head.h << 'END'
#include <assert.h>
#include <stdlib.h>
enum e { A, B, C };
_Noreturn void stop(int);
int use(int);
END
cat > bodies << 'END'
if (n) return 1;
if (n) return 1; return 2;
if (n) return 1; else use(n);
if (n) return 1; else return 2;
for (;;) if (n) return 1;
for (;;) { if (n) break; return 1; }
for (int i = 0; i < n; i++) return i;
while (1) { if (n == use(n)) return 1; }
while (n) { if (n == 2) return 2; }
do { if (n) return 1; } while (1);
do { if (n) return 1; } while (use(n));
do { return 1; } while (0);
do { if (n) continue; return 1; } while (use(1));
if (n) return 1; abort();
if (n) return 1; stop(n);
if (n) return 1; use(n) ? stop(1) : stop(2);
if (n) return 1; use(n) && (stop(1), 1);
if (n) return 1; use(n) ? stop(1) : (void)0;
if (n) return 1; assert(0);
if (n) return 1; assert(n);
if (n) return 1; __builtin_unreachable();
if (n) return 1; int k = ({ stop(n); 1; }); use(k);
if (n) return 1; (void)sizeof(({ stop(n); 1; }));
if (1) return 1;
if (0) return 1;
switch (n) { case 1: return 1; default: return 2; }
switch (n) { case 1: return 1; case 2: return 2; }
switch (n) { case 1: break; default: return 2; }
switch (n) { case 1: use(n); /* fallthrough */ case 2 ... 5: return 3; default: stop(1); }
switch (e) { case A: return 1; case B: return 2; case C: return 3; }
switch (e) { case A: return 1; case B: return 2; }
switch (e) { case A ... C: return 1; }
switch (e) { case A: return 1; case B: case C: break; }
switch (n) { case 1: switch (e) { case A: case B: case C: return 1; } default: return 2; }
again: if (n--) goto again; if (n) return 1;
again: if (n--) goto again; return 1;
if (n) goto out; return 1; out: use(n);
if (n) goto out; return 1; out: return 2;
{ { if (n) return 1; } }
if (n) { return 1; } else if (e) { return 2; } else { stop(3); }
END
# write HEAD CLOSE: each body in a function or job of its own, a line each
write() {
  awk -v head="$1" -v close_="$2" '{ h = head; gsub(/#/, NR, h); printf "%-32s{ %s }%s\n", h, $0, close_ }' bodies
}
messages() { grep -E '^t\.c:[0-9]+:[0-9]+: (warning|error)' "$1" | sort -u > "$2" || true; }

options='-Wall -Wextra -Wno-implicit-fallthrough'
{
  printf '#include "head.h"\n\n\n'
  write 'int f#(int n, enum e e)' ''
} > t.c
# shellcheck disable=SC2086
"$CC" $options -c -o t.o t.c 2> err || fail "plain C"
grep -v -e unused err > said || true
messages said plain
[ "$(wc -l < plain)" -ge 10 ] || fail "the compiler says little of plain C"
{
  printf '#include "head.h"\n#include <fermata.h>\nasync void f(int n, enum e e) {\n'
  write 'auto j# = job (n, e)' ';'
  seq -f '  fm_job_free(j%.0f);' "$(wc -l < bodies)"
  echo '}'
} > t.c
for level in -O0 -O2; do
  # shellcheck disable=SC2086
  "$FMCC" $options $level -c -o t.o t.c 2> said || { cat said; fail "jobs"; }
  messages said job
  diff plain job || fail "$level: differs from plain C"
done
# shellcheck disable=SC2086
status 1 "$FMCC" $options -Werror=return-type -c -o t.o t.c
# shellcheck disable=SC2086
"$FMCC" $options -Wno-return-type -c -o t.o t.c 2> err
lacks err return-type

# The dialect's own ways.
cat > t.c << 'END'
#include <fermata.h>
#include <fermata/time.h>
struct bad { int v; };
async int may(int n) throws(struct bad);
async _Noreturn void never(void);
async void f(int n) {
  auto a = job (n) { try { return may(n); } catch (struct bad e) { return e.v; } };
  auto b = job (n) { try { return may(n); } catch (struct bad e) { (void)e; } };
  auto c = job (n) { try { may(n); } catch (struct bad e) { return e.v; } finally { n = 1; } };
  auto d = job (n) { if (n) return 1; throw (struct bad){ n }; };
  auto e = job (n) { race { case fm_sleep(1): return 1; case fm_sleep(2): return 2; } };
  auto g = job (n) { race { case fm_sleep(1): return n; case fm_sleep(2): ; } };
  auto h = job (n) { scope (s) { return n; } };
  auto i = job (n) { scope (s) { return n; } else { fm_sleep(1); } };
  auto j = job (n) { atomic { return n; } };
  auto k = job (n) { shield { if (n) return n; } };
  auto l = job (n) { defer (void)n; activate (n) { (void)n; return; } return 1; };
  auto m = job (n) { if (n) return 1; never(); };
  auto o = job (n) { if (n) return 1; spawn never(); };
  auto p = job (n) { auto in = job (n) { if (n) return 1; }; fm_job_free(in); return 2; };
  auto q = job (n) { if (n) return; };
}
END
"$FMCC" -Wall -Wno-unused -c -o t.o t.c 2> said || { cat said; fail "the dialect"; }
sed -n -E 's/^t\.c:([0-9]+):[0-9]+: warning: .*\[-Wreturn-type\]$/\1/p' said | sort -n > lines
printf '%s\n' 8 9 12 14 16 19 20 > expected
diff expected lines || fail "the dialect's own ways"

# A value in one `return`, none in the other.
cat > t.c << 'END'
#include <fermata.h>
async void f(int n) {
  auto a = job (n) { if (n) return; return 2; };
  fm_job_free(a);
}
END
"$FMCC" -Wall -c -o t.o t.c 2> err || true
grep -q -E '^t\.c:3:29: (warning|error): .*\[-Wreturn-type\]' err || { cat err; fail "return;"; }
