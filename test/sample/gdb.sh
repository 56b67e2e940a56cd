#!/usr/bin/env bash
# gdb stops on the user's lines and prints the user's locals, in a function that was called and in one that was resumed.
set -eu
command -v gdb > gdb.path || exit 77

cat > program.c << 'END'
#include <fermata.h>

struct point { int x, y; };

static async int work(int n) {
  int local = n * 10;
  struct point p = { n, local };
  int array[3] = { 1, 2, 3 };
  const char *text = "kept";
  printf("called %d\n", local);
  yield;
  local += p.x;
  array[1] += local;
  printf("resumed %d %s\n", array[1], text);
  return local + array[1];
}

END
for i in {1..100}; do echo; done >> program.c
cat >> program.c << 'END'
async int main(void) {
  int result = work(4);
  printf("%d\n", result);
  return 0;
}
END
"$FMCC" -g -O0 -o program program.c

cat > commands << 'END'
set pagination off
set width 0
break program.c:10
break program.c:14
break program.c:120
run
echo A:\n
frame
print local
print p
info source
continue
echo B:\n
frame
print local
print p.y
print text
next
frame
continue
echo C:\n
frame
print result
continue
END
gdb -nx -batch -x commands ./program > out 2>&1 || { cat out; exit 1; }

fail() {
  echo "$1"
  cat out
  exit 1
}
# What gdb prints between `A:` and `B:`, and so on.
part() { sed -n "/^$1:\$/,/^$2:\$/p" out; }
has() { part "$1" "$2" | grep -q -F -e "$3" || fail "in $1: not found: $3"; }

has A B 'program.c:10'
has A B '$1 = 40'
has A B 'x = 4, y = 40'
has B C 'program.c:14'
has B C '$3 = 44'
has B C '$4 = 40'
has B C '"kept"'
has B C 'program.c:15'
has C D 'program.c:120'
has C D '= 90'
grep -q 'resumed 46 kept' out || fail "the program did not run to its end"
