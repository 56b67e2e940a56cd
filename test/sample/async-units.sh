#!/usr/bin/env bash
# Async functions across units: prototypes in a header, pointers, tables, inline ones in headers, async main in another unit.
set -eu

cat > api.h << 'END'
#ifndef API_H
#define API_H
#include <fermata.h>
struct pair { int a, b; };
typedef async int op_fn(int);
extern async int (*const ops[2])(int);
async int inc(int);
async struct pair both(struct pair p, const char *s);
async void nothing(void);
static inline async int half(int n) { yield; return n / 2; }
extern op_fn *chosen;
#endif
END
cat > api.c << 'END'
#include "api.h"
static async int dec(int x) { yield; return x - 1; }
async int inc(int x) { yield; return x + 1; }
async struct pair both(struct pair p, const char *s) { p.a = inc(p.a); p.b = dec(p.b) + s[0]; return p; }
async void nothing(void) { yield; }
async int (*const ops[2])(int) = { inc, dec };
op_fn *chosen = dec;
END
cat > main.c << 'END'
#include "api.h"
int plain(void);
async int main(void) {
  struct pair p = both((struct pair){ 1, 2 }, "\n");
  nothing();
  printf("%d %d %d %d %d %d\n", p.a, p.b, ops[0](5), ops[1](5), half(9), chosen(1));
  printf("%d %d\n", atomic ops[0](6), ops[0] == inc);
  return plain();
}
END
cat > plain.c << 'END'
#include "api.h"
int plain(void) { return atomic inc(-1) + atomic half(0); }
END
for o in -O0 -O2; do
  for f in api main plain; do "$FMCC" $o -Wall -Wextra -c $f.c; done > said 2>&1
  [ ! -s said ] || { cat said; exit 1; }
  "$FMCC" -o program api.o main.o plain.o
  ./program > out
  printf '2 11 6 4 4 0\n7 1\n' | diff - out
done
