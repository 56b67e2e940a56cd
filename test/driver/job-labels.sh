# A label that comes twice in a `switch` of a job draws the compiler's message once, at its place:
# the function in which fmcc has the ways through the job checked says nothing of its own.
. "$SRC/test/driver/common.bash"

cat > twice.c <<'END'
#include <fermata.h>
enum color { red, green, blue };
async int f(enum color c) {
  auto j = job (c) {
    switch (c) { default: default: ; }
    switch (c) { case red ... green: case green: case blue: ; }
    return 1;
  };
  return await j;
}
END
! "$FMCC" --cc="$CC" -c twice.c 2> err || fail "labels that come twice are accepted"
grep ': error: ' err > errors
[ "$(wc -l < errors)" = 2 ] || { cat err; fail "not one error for each switch"; }
[ "$(grep -c 'twice.c:5:.*default' errors)" = 1 ] || { cat err; fail "the second default"; }
[ "$(grep -c 'twice.c:6:.*duplicate case' errors)" = 1 ] || { cat err; fail "the second case"; }
