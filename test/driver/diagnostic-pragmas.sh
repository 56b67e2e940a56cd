# `#pragma GCC diagnostic` and -Wno-, -Werror=, -Wno-error= hold for all warnings of fmcc's own, and
# the C compiler underneath, which does not know their names, says nothing of them.
. "$SRC/test/driver/common.bash"

# what each line draws: LINE KIND NAME, as "7 warning blocking"
said() {
  "$FMCC" "$@" -c -o x.o 2> said
  sed -n 's/^[a-z]*\.c:\([0-9]*\):[0-9]*: \(warning\|error\): .*\[-W\(error=\)\?\(.*\)\]$/\1 \2 \4/p' said
}
# said_is WANTED OPTIONS…: nothing else is said
said_is() {
  local want=$1 got
  shift
  got=$(said "$@" | tr '\n' ',')
  [ "$got" = "$want" ] || fail "$*: [$got], expected [$want]: $(cat said)"
  if grep -q 'unknown' said; then
    fail "$*: the C compiler complains: $(cat said)"
  fi
}

cat > a.c << 'END'
#include <fermata.h>
#include <fermata/posix.h>
#include <stdlib.h>
#include <string.h>
struct bad { int v; };
#define SILENT(w) _Pragma("GCC diagnostic push") _Pragma(w)
async int g(int x) throws(struct bad);
async void a(void) { system("x"); }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wblocking"
async void b(void) { system("x"); }
#pragma GCC diagnostic error "-Wblocking"
async void c(void) { system("x"); }
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wblocking"
async void d(void) { system("x"); }
#pragma GCC diagnostic pop
async void e(void) { system("x"); }
#pragma GCC diagnostic pop
async void f(void) {
  system("x");
  SILENT("GCC diagnostic ignored \"-Wblocking\"")
  system("x");
  _Pragma("GCC diagnostic pop")
  system("x");
}
#pragma GCC diagnostic push
#pragma clang diagnostic ignored "-Wshared-state"
async void h(void) { strtok(0, "x"); }
  #  pragma GCC diagnostic ignored "-Wunawaited-task"
async void i(void) { auto t = spawn g(3); (void)t; }
#pragma GCC diagnostic pop
async void j(void) { auto t = spawn g(3); (void)t; }
#pragma GCC diagnostic ignored "-Wunawaited-task"
#pragma GCC diagnostic warning "-Wimplicit-await"
async int k(int x) throws(struct bad) { return 1 + g(x); }
#pragma GCC diagnostic ignored "-Wimplicit-await"
#pragma GCC diagnostic warning "-Wtail-call"
async long l(int x) throws(struct bad) { return g(x); }
#pragma GCC diagnostic ignored "-Wtail-call"
async long m(int x) throws(struct bad) { return g(x); }
END
said_is "8 warning blocking,13 error blocking,16 warning blocking,18 error blocking,21 warning blocking,\
25 warning blocking,33 warning unawaited-task,36 warning implicit-await,39 warning tail-call," a.c

# the rest of the unit is what it would be without: the C compiler's own pragmas still work
cat > b.c << 'END'
#include <fermata.h>
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wblocking"
#pragma GCC diagnostic ignored "-Wunused-variable"
async void a(void) { int x; yield; }
#pragma GCC diagnostic pop
async void b(void) { int y; yield; }
END
said_is '7 warning unused-variable,' -Wall b.c

# a name that no one knows is said, once, at its place
cat > c.c << 'END'
#include <fermata.h>
#pragma GCC diagnostic ignored "-Wblockng"
async void a(void) { yield; }
END
"$FMCC" -c c.c 2> said
[ "$(grep -c '^c\.c:2:.*blockng\|^c\.c:2:.*unknown option' said)" = 1 ] || fail "c.c: $(cat said)"

# plain C, as a header that both use
printf '#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored "-Wblocking"\nint f(void) { int x; return 1; }\n' > d.c
printf '#pragma GCC diagnostic pop\nint g(void) { return f(); }\n' >> d.c
said_is '3 warning unused-variable,' -Wall d.c

# in a header, with -Werror, with a dependency file
printf '#pragma GCC diagnostic ignored "-Wblocking"\n' > h.h
printf '#include <fermata.h>\n#include <fermata/posix.h>\n#include <stdlib.h>\n#include "h.h"\n' > h.c
printf 'async void a(void) { system("x"); }\n' >> h.c
rm -f x.d
said_is '' -Werror -MD -MF x.d h.c
grep -q 'h\.h' x.d || fail 'no dependency file'

# options
cat > e.c << 'END'
#include <fermata.h>
#include <fermata/posix.h>
#include <stdlib.h>
#include <string.h>
struct bad { int v; };
async int g(int x) throws(struct bad);
async void a(void) { system("x"); }
async void b(void) { strtok(0, "x"); }
async void c(void) { auto t = spawn g(3); (void)t; }
async long d(int x) throws(struct bad) { return g(x); }
END
all='7 warning blocking,8 warning shared-state,9 warning unawaited-task,'
said_is "$all" e.c
said_is '10 warning implicit-await,10 warning tail-call,' \
  -Wno-blocking -Wno-shared-state -Wno-unawaited-task -Wimplicit-await -Wtail-call e.c
said_is '' -Wimplicit-await -Wtail-call -Wno-blocking -Wno-shared-state -Wno-unawaited-task \
  -Wno-implicit-await -Wno-tail-call e.c
printf 'int x;\n' > d2.c
for w in blocking shared-state unawaited-task implicit-await tail-call; do
  got=$(said "-Werror=$w" e.c | grep -c "error $w")
  [ "$got" = 1 ] || fail "-Werror=$w: $(cat said)"
  got=$(said -Werror "-W$w" "-Wno-error=$w" e.c | grep -c "warning $w")
  [ "$got" = 1 ] || fail "-Wno-error=$w: $(cat said)"
  # a plain unit: the C compiler is not given the names
  said_is '' "-W$w" "-Werror=$w" "-Wno-error=$w" "-Wno-$w" d2.c
done
