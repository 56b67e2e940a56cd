# Async functions in several units: inline ones as C has them (6.7.4), static ones, one address for all.
. "$SRC/test/driver/common.bash"
cat > f.h <<'END'
#include <fermata.h>
inline async int thrice(int x) { yield; return 3 * x; }
inline async int lonely(int x) { yield; return x + 1; } // no unit says `extern`: C would want one that does
static inline async int own(int x) { yield; return x; }
async int other(async int (*f)(int), int x);
END
cat > a.c <<'END'
#include "f.h"
extern inline async int thrice(int x);
static async int hidden(int);
async int hidden(int x) { return own(x) + lonely(x); }
async int other(async int (*f)(int), int x) { return f == thrice ? hidden(x) : -1; }
END
cat > b.c <<'END'
#include "f.h"
async int far(int x);
static async int hidden(int x) { return far(x) + own(x); }
async int main(void) {
  printf("%d %d\n", other(thrice, 5), hidden(thrice(2)) + lonely(1));
  return 0;
}
END
cat > c.c <<'END'
#include <fermata.h>
async int thrice(int x);
async int far(int x) { return thrice(x); }
END
for opt in -O0 -O2; do
  "$FMCC" -Wall -Wextra $opt a.c b.c c.c -o prog
  [ "$(./prog)" = "11 26" ] || fail "$opt: $(./prog)"
done
# In a shared library; shared-library.sh has more of that.
"$FMCC" -fPIC -shared a.c c.c -o libac.so
"$FMCC" b.c -L. -lac -Wl,-rpath,. -o prog
[ "$(./prog)" = "11 26" ] || fail "with a shared library: $(./prog)"
"$FMCC" -fPIC -shared -o libp.so -x c - <<< '#include <fermata.h>
static async int f(void) { yield; return 7; }
int plain(void) { return run f(); }'
"$FMCC" -L. -x c - -lp -Wl,-rpath,. -o prog <<< 'int plain(void); int main(void) { return plain() - 7; }'
./prog || fail "a plain program with a shared library"
