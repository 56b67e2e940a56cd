#!/usr/bin/env bash
# -Os and -Oz: the translator, too, prefers less text. Each async function has one text for call and resume.
set -eu

forms() { "$FMCC" --cc="$CC" "$@" --dump=forms small.c | sed -n 's/^  \(.*\); .*/\1/p' | sort -u; }

cat > small.c << 'END'
#include <fermata.h>
async int g(int x);
async int f(int x) { return g(x) + g(x + 1); }
async int h(int x) { int v[4] = { x }; for (int i = 0; i < 4; i++) v[i] = g(v[0]); return v[3]; }
END
[ "$(forms -O2)" = "versions of its own for call and resume" ]
[ "$(forms)" = "versions of its own for call and resume" ]
both='one body for call and resume
the resume version, for calls too'
[ "$(forms -Os)" = "$both" ]
[ "$(forms -O2 -Os)" = "$both" ]
[ "$(forms -Os -O2)" = "versions of its own for call and resume" ]
[ "$CC" != clang ] || [ "$(forms -Oz)" = "$both" ]

# The programs about forms mean the same.
for level in -Os $([ "$CC" != clang ] || echo -Oz); do
  "$FMCC" --cc="$CC" "$level" -o forms "$SRC/test/run/async-forms.c"
  sed -n 's,^// expect: ,,p' "$SRC/test/run/async-forms.c" > expected
  ./forms > out
  cmp out expected
  FERMATA_TICK=always ./forms > out
  cmp out expected
done
