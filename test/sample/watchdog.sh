#!/usr/bin/env bash
# FERMATA_SLOW reports a turn that does not end, and SIGUSR1 dumps the tree meanwhile; neither does harm under load.
set -eu
fail() { echo "FAIL: $*"; cat err; exit 1; }
cat > program.c << 'END'
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void turn_round(int asks) { // until the test has seen enough
  char c;
  if (asks)
    kill(getpid(), SIGUSR1);
  while (read(0, &c, 1) != 1)
    ;
}
static async void hog(int asks) {
  turn_round(asks); // line 17
  printf("done\n");
}
static async void sleeper(void) {
  fm_sleep(1);
}
async int main(int argc, char **argv) {
  fcntl(0, F_SETFL, O_NONBLOCK);
  spawn sleeper();
  yield;
  hog(argc > 1 ? atoi(argv[1]) : 0); // line 27
  return 0;
}
END
"$FMCC" -g -w -o program program.c
rm -f pipe
mkfifo pipe

# watched NAME=VALUE ARGUMENT PATTERN: the program goes on until the pattern is on standard error.
watched() {
  : > err
  env "$1" ./program "$2" < pipe > out 2> err &
  local program=$!
  exec 3> pipe
  for _ in {1..300}; do
    ! grep -q "$3" err || break
    sleep 0.1
  done
  echo go >&3
  exec 3>&-
  wait "$program" || fail "$1: status $?"
  grep -q "$3" err || fail "$1: no $3"
  grep -q done out || fail "$1: not done"
}
watched FERMATA_DUMP=1 1 'at program.c:27 in main'
grep -q '^#1 main: running$' err || fail 'no dump'
grep -q '^  #2 sleeper: waits at program.c:21 for a timer$' err || fail 'no dump of the others'
grep -q 'in turn_round$' err || fail 'no plain function'
grep -q 'at program.c:17 in hog$' err || fail 'no async function'
watched FERMATA_SLOW=20 0 'at program.c:27 in main'
grep -q '^fermata: a turn has lasted for [0-9]* ms without a pause$' err || fail 'no report'
[ "$(grep -c '^fermata: ' err)" -ge 1 ] || fail 'no report'
! FERMATA_SLOW=soon ./program < /dev/null > out 2> err || fail 'a bad value was taken'
grep -q FERMATA_SLOW err || fail 'no message'

cat > load.c << 'END'
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

typedef fm_chan(int) int_chan;
static int_chan c;
static fm_mutex m;
static long sum;

static async void sends(int n) {
  for (int i = 0; i < n; i++)
    try {
      fm_send(&c, i);
    } catch (struct fm_closed e) {
    }
}
static async void works(int n) {
  for (int i = 0; i < n; i++) {
    free(malloc((size_t)i + 1));
    fm_lock(&m);
    yield;
    fm_unlock(&m);
  }
}
static async void asks(int n) {
  for (int i = 0; i < n; i++) {
    kill(getpid(), SIGUSR1);
    for (volatile int k = 0; k < 300000; k++)
      ;
    auto t = spawn works(3);
    await t;
  }
}
static async int busy(int n) {
  volatile int s = 0;
  for (int i = 0; i < n; i++)
    s += i % 3;
  return s != 0;
}
async int main(void) {
  fm_pool *p = fm_pool_new(2);
  int v = 0;
  fm_chan_init(&c, 3);
  fm_mutex_init(&m);
  spawn sends(20000);
  for (int i = 0; i < 10; i++)
    spawn works(2000);
  spawn asks(60);
  task(int) on_pool[8];
  for (int i = 0; i < 8; i++)
    on_pool[i] = spawn on(p) busy(3000000);
  for (int i = 0; i < 20000 && fm_recv_or_closed(&c, &v); i++)
    sum += v;
  int ended = 0;
  for (int i = 0; i < 8; i++)
    ended += await on_pool[i];
  fm_pool_free(p);
  printf("%ld %d\n", sum, ended);
  return 0;
}
END
"$FMCC" -g -O1 -w -o load load.c
for tick in 10 always; do
  FERMATA_SLOW=1 FERMATA_DUMP=1 FERMATA_TICK=$tick ./load > out 2> err || fail "load: status $?"
  [ "$(cat out)" = '199990000 8' ] || fail "load: $(cat out)"
done
