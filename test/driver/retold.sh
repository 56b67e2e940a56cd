#!/usr/bin/env bash
# What only the compiler underneath finds in an async function is told once, of the function as the user wrote it, at the user's column if that can be found.
. "${BASH_SOURCE%/*}/common.bash"

cat > a.c << 'END'
#include <fermata.h>
async int g(int x);
async int f(int n) {
  const int k = 1;
  g(1);
  k = 2;
  switch (n) { case 1: g(1); break; case 1: return 1; }
  return "x";
}
async void h(void) { int a; int a; g(1); return 1; }
END
status 1 "$FMCC" -c a.c
[ "$(grep -c 'a.c:6:5: error:' err)" = 1 ] || { cat err; fail "the constant is not told once"; }
[ "$(grep -c 'a.c:7:[0-9]*: error:' err)" = 1 ] || { cat err; fail "the case is not told once"; }
[ "$(grep -c 'a.c:8:10: warning:' err)" = 1 ] || { cat err; fail "the result is not told once"; }
[ "$(grep -c 'a.c:10:[0-9]*: error: .*a' err)" -ge 1 ] || { cat err; fail "the second declaration is not told"; }
lacks err '__fm_'; lacks err '<fermata>'; lacks err 'fm__c'
# In the colours of a terminal too.
status 1 "$FMCC" -fdiagnostics-color=always -c a.c; has err "$(printf '\033')"; lacks err '__fm_'
# Warnings do not fail, and what is in a header is said to be.
printf '#define TWICE(x) ((x) + (x))\nstatic inline int odd(int n) { int unused; return TWICE(n); }\n' > b.h
printf '#include <fermata.h>\n#include "b.h"\nasync int g(int x);\nasync int f(int n) { g(odd(n)); int left; return 0; }\n' > b.c
status 0 "$FMCC" -Wall -c b.c; has err 'In file included from b.c:2'; has err 'b.h:2:36: warning:'; has err 'b.c:4:'
# For programs, and where cc says more, it is left as it is.
status 1 "$FMCC" -v -c a.c; has err '__fm_'
# A function that returns though it says that it does not, where it pauses or not.
cat > c.c << 'END'
#include <fermata.h>
_Noreturn async void f(int n) { yield; if (n) f(n - 1); }
_Noreturn async void g(int n) {
  if (n) return;
  f(n);
}
END
status 0 "$FMCC" -c c.c; lacks err '__fm_'; lacks err 'c.c:6'
for line in 2 4; do grep -q "c.c:$line:.*warning: .*noreturn.* return" err || { cat err; fail "line $line is not told"; }; done
