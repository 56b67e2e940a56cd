# Attributes of async functions: which of the generated functions have them, what callers are told, and
# that weak and alias mean across units what they mean in C.
. "$SRC/test/driver/common.bash"
head='#include <fermata.h>'

# object FILE.c: compiled without a word; its symbols are in `symbols`: binding, visibility, section, name.
object() {
  status 0 "$FMCC" -Wall -Wextra -O1 -c "$@"
  [ ! -s err ] || { cat err; fail "expected silence: $*"; }
  readelf -sW "${1%.c}.o" | awk '$8 != "" {print $5, $6, $7, $8}' > symbols
  readelf -SW "${1%.c}.o" | sed -n 's/^ *\[ *\([0-9]*\)\] \([^ ]*\).*/\1 \2/p' > sections
}
symbol() { grep -q "^$1 $2 [0-9A-Z]* $3\$" symbols || { cat symbols; fail "expected $3 to be $1 $2"; }; }
in_section() {
  local n; n=$(awk -v s="$1" '$2 == s {print $1}' sections)
  shift
  for f; do grep -q " $n $f\$" symbols || { cat symbols sections; fail "$f is elsewhere"; }; done
}
four() { local f=$3; for s in "" __fm_call __fm_atomic __fm_start; do symbol "$1" "$2" "$f$s"; done; }

# Visibility: the attribute, the pragma, the option; on a prototype as on the definition.
cat > v.c <<END
$head
async __attribute__((visibility("hidden"))) int a(int x) { yield; return x; }
async int b(int x) __attribute__((visibility("hidden")));
async int b(int x) { yield; return x; }
#pragma GCC visibility push(hidden)
async int c(int x) { yield; return x; }
#pragma GCC visibility pop
async int d(int x) { yield; return x; }
END
object v.c
four GLOBAL HIDDEN a; four GLOBAL HIDDEN b; four GLOBAL HIDDEN c; four GLOBAL DEFAULT d
object v.c -fvisibility=hidden
four GLOBAL HIDDEN d
sed -i 's/int d(/__attribute__((visibility("default"))) int d(/' v.c
object v.c -fvisibility=hidden
four GLOBAL DEFAULT d

# Sections: all code of the function, also that of bodies inside it. Many pauses make another form.
cat > s.c <<END
$head
async void p(void);
async __attribute__((section(".mine"))) int f(int x) { char b[100]; b[0] = (char)x; p(); activate (x) { yield; } return b[0]; }
async __attribute__((section(".many"))) int g(int x) { p(); p(); p(); p(); p(); p(); p(); p(); p(); p(); p(); return x; }
asyncdirect __attribute__((section(".direct"))) int h(fm_completion(int) *k) { fm_complete(k, 1); }
END
object s.c
in_section .mine f__fm_call f__fm_atomic f__fm_start f__fm_resume f__activate1__fm_resume
in_section .many g__fm_call g__fm_atomic g__fm_body g__fm_resume
in_section .direct h__fm_call h__fm_resume

# Weak: a strong definition wins, in either order; one that is nowhere is null; an inline one stays.
cat > weak.c <<END
$head
async __attribute__((weak)) int hook(int x) { yield; return x; }
async int missing(int x) __attribute__((weak));
[[gnu::weak]] async int absent(int x);
async int main(void) {
  if (missing || absent) puts("there");
  async int (*p)(int) = hook;
  printf("%d %d %d %d\n", hook(1), await spawn hook(2), atomic hook(3), p(4));
  return missing ? missing(1) : 0;
}
END
is_clang && sed -i 's/^\[\[gnu::weak\]\] async int absent(int x)/async int absent(int x) __attribute__((__weak__))/' weak.c
echo "$head
async int hook(int x) { yield; return x + 10; }" > strong.c
object weak.c; four WEAK DEFAULT hook; symbol WEAK DEFAULT missing; symbol WEAK DEFAULT missing__fm_call
object strong.c; four GLOBAL DEFAULT hook
status 0 "$FMCC" weak.o -o w; ./w > out; has out '1 2 3 4'
status 0 "$FMCC" weak.o strong.o -o w; ./w > out; has out '11 12 13 14'
status 0 "$FMCC" strong.o weak.o -o w; ./w > out; has out '11 12 13 14'

# Other names: alias, weak alias, weakref, asm labels.
cat > alias.c <<END
$head
async int real(int x) { yield; return x; }
async int al(int x) __attribute__((alias("real")));
async int wal(int x) __attribute__((weak, alias("real")));
static async int ref(int x) __attribute__((weakref("real")));
async int named(int x) __asm__("other_name");
async int named(int x) { yield; return x; }
async int by_name(int x) __attribute__((alias("other_" "name")));
async int main(void) {
  async int (*p)(int) = al;
  printf("%d %d %d %d %d\n", al(1), await spawn wal(2), atomic ref(3), p(4), by_name(5));
  return p == real ? named(0) : 1;
}
END
object alias.c
four GLOBAL DEFAULT al; four WEAK DEFAULT wal; four GLOBAL DEFAULT other_name; four GLOBAL DEFAULT by_name
status 0 "$FMCC" alias.o -o a; ./a > out; has out '1 2 3 4 5'
echo "$head
async int other_name(int x);
async int main(void) { return other_name(0); }" > user.c
sed -i '/main/,$d' alias.c
status 0 "$FMCC" user.c alias.c -o a; ./a

# What callers are told: once, at the call, with the argument's own number.
cat > told.c <<END
$head
async __attribute__((deprecated("use g"))) int old(int x);
async int wanted(int x) __attribute__((warn_unused_result));
async int filled(int n, char *p) __attribute__((nonnull(2)));
async int said(int n, const char *f) __attribute__((format(printf, 2, 0)));
async int odd(int x) __attribute__((no_such_thing));
__attribute__((deprecated)) async int (*pointer)(int);
async int test(char *s) {
  old(1);
  wanted(1);
  filled(1, 0);
  spawn filled(1, 0);
  int n = await spawn old(2);
  pointer = &old;
  return filled(n, s) + said(n, s);
}
END
status 0 "$FMCC" -Wall -Wextra -O1 -c told.c
for line in 'told.c:6:' 'told.c:9:' 'told.c:10:' 'told.c:11:' 'told.c:12:' 'told.c:13:'; do
  [ "$(grep -c "^$line.*warning:" err)" = 1 ] || { cat err; fail "expected one warning at $line"; }
done
lacks err __fm_; lacks err '<fermata>'
if ! is_clang; then
  has err 'argument 2 null where non-null expected'
  has err "'old' is deprecated: use g"
  has err "'no_such_thing' attribute directive ignored"
fi
# The forms of C23, at their places.
cat > c23.c <<END
$head
[[nodiscard]] async int wanted(int x);
[[deprecated("use g")]] async int old(int x);
[[maybe_unused]] static async int spare(int x) { yield; return x; }
[[gnu::cold, gnu::section(".mine")]] async int rare(int x) { yield; return x; }
async int also [[gnu::noinline]] (int x) { yield; return x; }
[[gnu::nonnull(1)]] async int filled(char *p);
async int test(void) {
  wanted(1);
  old(1);
  return filled(0);
}
END
status 0 "$FMCC" -std=c2x -Wall -Wextra -O1 -c c23.c
for line in c23.c:9: c23.c:10: c23.c:11:; do
  [ "$(grep -c "^$line.*warning:" err)" = 1 ] || { cat err; fail "expected one warning at $line"; }
done
lacks err __fm_
readelf -SW c23.o > out; has out .mine
