#!/usr/bin/env bash
# A local that a header declares, in several units, one of them plain C; gdb shows it.
set -eu
cat > level.h << 'END'
#include <fermata.h>
extern fm_local(int) level;
struct who { int number; const char *name; };
extern fm_local(struct who) who;
int plain(void);
END
cat > level.c << 'END'
#define FERMATA_NO_KEYWORDS
#include "level.h"
fm_local(int) level = fm_local_initial(int, 4);
fm_local(struct who) who;
int plain(void) {
  fm_local_set(&level, fm_local_get(&level) + 1);
  return fm_local_get(&level);
}
END
cat > main.c << 'END'
#include "level.h"
static async void child(void) {
  printf("%d\n", plain());
}
async int main(void) {
  fm_local_set(&who, (struct who){ 7, "ann" });
  auto t = spawn child();
  await t;
  printf("%d %d\n", fm_local_get(&level), fm_local_get(&who).number);
  return 0;
}
END
"$FMCC" -g -Wall -Wextra -Wpedantic -Werror -c level.c main.c
"$FMCC" -g -o program main.o level.o
./program > out
printf '5\n4 7\n' | diff - out

if "$FMCC" -c -o wrong.o -x c - 2> message << 'END'
#include <fermata.h>
static fm_local(int) level;
async void f(void) { fm_local_set(&level, (struct { int x; }){ 1 }); }
END
then
  echo 'a value of another type was accepted'
  exit 1
fi
grep -q 'error: ' message

command -v gdb > gdb.path || exit 0
printf '%s\n' 'break plain' run 'fermata activity-locals' 'fermata activity-locals 1' > commands
"$(dirname "$FMCC")/fermata" gdb -batch -x commands ./program > gdb.out 2>&1 || true
grep -q '^    who = {number = 7, name = 0x[0-9a-f]* "ann"}$' gdb.out || { cat gdb.out; exit 1; }
grep -q '^#2 child:$' gdb.out || { cat gdb.out; exit 1; }
