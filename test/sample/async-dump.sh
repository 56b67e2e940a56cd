#!/usr/bin/env bash
# fm_dump shows the tree: name, state, where each waits, for what. With FERMATA_DUMP=1, SIGUSR1 does the same.
set -eu

cat > program.c << 'END'
#include <fermata.h>
#include <signal.h>
static async void leaf(int n) {
  fm_set_name(fm_self(), n ? "one" : "zero");
  while (n--) yield;
  fm_dump(stdout);
}
static async void waits(void) {
  auto t = spawn leaf(1);
  await t;
}
async int main(void) {
  spawn waits();
  auto z = spawn leaf(0);
  await z;
  fm_set_name(fm_self(), "renamed");
  raise(SIGUSR1);
  yield;
}
END
"$FMCC" -g -o program program.c
FERMATA_TICK=off FERMATA_DUMP=1 ./program > out 2> err
says() { grep -q -E -e "$2" "$1" || { echo "not in $1: $2"; cat out err; exit 1; }; }
says out '^[^ ].*main.*waits.*program.c:15.*leaf|^[^ ].*main.*waits.*program.c:15.*zero'
says out '^  [^ ].*waits: waits.*program.c:10.*leaf'
says out '^    [^ ].*leaf: ready'
says out 'zero: running'
says err 'renamed'
says err 'waits: '
# Without it the signal keeps its meaning.
status=0
FERMATA_TICK=off ./program > out 2> err || status=$?
[ "$status" = 138 ] || { echo "exit status $status"; exit 1; }
