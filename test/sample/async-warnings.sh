#!/usr/bin/env bash
# fmcc's own warnings about async code: shared loop variables, and -Wimplicit-await.
set -eu

fail() {
  echo "$1"
  cat said
  exit 1
}

cat > loops.c << 'END'
#include <fermata.h>
async void f(int n) {
  int outside = 0;
  for (int i = 0; i < n; i++) {
    int inside = i;
    activate { outside += i; }
    activate { outside += inside; }
    activate (i, inside) { outside += i + inside; }
  }
  while (n--) {
    int body = n;
    activate (n) { outside += body + n; }
  }
  int after = n;
  activate { outside += after; }
}
END
"$FMCC" -c loops.c 2> said || fail "does not compile"
for at in '6:27: warning: `i`' '7:27: warning: `inside`' '12:31: warning: `body`'; do
  grep -q -F "loops.c:$at" said || fail "not said: $at"
done
[ "$(grep -c 'warning:' said)" = 3 ] || fail "three warnings are expected"

cat > awaits.c << 'END'
#include <fermata.h>
async int f(int x);
async int g(int x) {
  int n = await f(x);
  n += f(n);
  spawn f(1);
  n += atomic f(2);
  return f(n);
}
END
"$FMCC" -c awaits.c 2> said || fail "does not compile"
[ ! -s said ] || fail "nothing is expected without -Wimplicit-await"
"$FMCC" -c -Wimplicit-await awaits.c 2> said || fail "does not compile"
for at in 5:8 8:10; do grep -q -F "awaits.c:$at: warning: " said || fail "not said: $at"; done
[ "$(grep -c 'warning:' said)" = 2 ] || fail "two warnings are expected"
