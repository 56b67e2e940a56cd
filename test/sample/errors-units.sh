#!/usr/bin/env bash
# Errors across units: thrown in one and caught in another, by name and size, whether async or plain; unhandled ones are reported.
set -eu

cat > api.h << 'END'
#include <fermata.h>
struct parse_error { int line; char text[200]; };
typedef struct { double at; } position;
async int parse(int n) throws(struct parse_error, position);
int plain(int n) throws(struct parse_error);
extern async int (*const table[])(int) throws(struct parse_error, position);
void same_name(void) throws(fm_error);
END
cat > api.c << 'END'
#include "api.h"
struct local { char big[64]; };         // another unit has a struct of the same name, of another size
async int parse(int n) throws(struct parse_error, position) {
  yield;
  if (n == 1) throw (struct parse_error){ 7, "text" };
  if (n == 2) throw (position){ 2.5 };
  return n;
}
int plain(int n) throws(struct parse_error) { defer n = 0; if (n) throw (struct parse_error){ n, "plain" }; return 1; }
async int (*const table[])(int) throws(struct parse_error, position) = { parse };
void same_name(void) throws(fm_error) { throw (struct local){ "big" }; }
END
cat > main.c << 'END'
#include "api.h"
struct local { int small; };
async int main(int argc, char **argv) throws(struct parse_error, position) {
  (void)argv;
  for (int n = 0; n < 3; n++) {
    try { printf("%d\n", table[0](n)); }
    catch (struct parse_error e) { printf("%d %s\n", e.line, e.text); }
    catch (position p) { printf("%g\n", p.at); }
  }
  try { plain(9); } catch (struct parse_error e) { printf("%d %s\n", e.line, e.text); }
  try { same_name(); } catch (struct local l) { printf("small %d\n", l.small); } catch (fm_error *e) { printf("%s\n", fm_error_name(e)); }
  if (argc > 1) parse(1);
}
END
for o in -O0 -O2; do
  for f in api main; do "$FMCC" $o -Wall -Wextra -c $f.c; done > said 2>&1
  [ ! -s said ] || { cat said; exit 1; }
  "$FMCC" -o program api.o main.o
  ./program > out
  printf '0\n7 text\n2.5\n9 plain\nlocal\n' | diff - out
  status=0
  ./program more > out 2> err || status=$?
  [ $status = 1 ] || { echo "exit status $status"; exit 1; }
  printf '%s\n' 'fermata: unhandled error parse_error, thrown at api.c:5' '    at api.c:5 in parse' '    at main.c:12 in main' | diff - err
done

# run in plain code, uncaught by main: likewise
cat > run.c << 'END'
#include "api.h"
int main(void) throws(struct parse_error, position) { puts("before"); return run parse(1); }
END
"$FMCC" -Wall -Wextra -o run run.c api.c
status=0
./run > out 2> err || status=$?
[ $status = 1 ] && [ "$(cat out)" = before ] && grep -q '^fermata: unhandled error parse_error, thrown at api.c:5' err || { echo "run: exit status $status"; cat out err; exit 1; }

# a detached activity, without a handler: reported, and the process aborts
cat > detached.c << 'END'
#include "api.h"
async int main(void) { spawn detached parse(2); for (int i = 0; i < 9; i++) yield; }
END
"$FMCC" -Wall -Wextra -o detached detached.c api.c
status=0
{ ./detached > out 2> err; } 2> shell || status=$?
[ $status = 134 ] && grep -q '^fermata: unhandled error position, thrown at api.c:6' err && grep -q 'in the detached activity #[0-9]* parse' err ||
  { echo "detached: exit status $status"; cat err; exit 1; }
