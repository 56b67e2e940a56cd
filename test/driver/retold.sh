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
# Also where cc says more, and for programs.
status 1 "$FMCC" -v -c a.c; has err 'a.c:6:5: error:'
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
# A column behind a pause, or a call, on the line is the user's with both compilers; in the version in which it was found.
cat > d.c << 'END'
#include <fermata.h>
async int g(int x);
int plain(void) { g_missing: return 1 + "plain"; }
async int f(int n) {
  g(1); const int fixed = 1; g(2); fixed = 3;
  g(n); char *text = n; g(text[0]);
  g(1); int only = 0; return g(2) + n;
}
async int many(int n) {
  g(1); g(2); g(3); g(4); g(5); g(6); g(7); g(8); g(9);
  g(1); char *later = n; g(later[0]);
	g(n); int after_tab = 0; return n;
}
END
status 1 "$FMCC" -Wall -c d.c
for place in 3:19 5:42 '6:\(15\|22\)' '11:\(15\|23\)' '12:\(12\|19\)'; do grep -q "^d.c:$place: " err || { cat err; fail "nothing at $place"; }; done
has err '  g(1); const int fixed = 1; g(2); fixed = 3;'
lacks err '__fm_'
# Behind a macro, and where the order is not the user's.
cat > e.c << 'END'
#include <fermata.h>
#define TWICE(x) ((x) + (x))
int plain(int n) { int a = TWICE(n); int unused = 3; return TWICE(a) + "x"; }
async int g(int n) { int a = TWICE(n); int unused = g(TWICE(n)); return TWICE(a) + "x"; }
END
status 0 "$FMCC" -Wall -c e.c
for place in 3:70 3:42 4:82 4:44; do grep -q "^e.c:$place: " err || { cat err; fail "nothing at $place"; }; done
