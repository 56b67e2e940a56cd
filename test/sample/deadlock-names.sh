#!/usr/bin/env bash
# The report of a deadlock names the mutex, who holds it and since where, the channel and who else waits for it.
set -eu
fail() { echo "FAIL: $*"; cat err; exit 1; }
cat > program.c << 'END'
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <stdlib.h>

static fm_mutex a, b, locks[20];
typedef fm_chan(int) int_chan;
static int_chan jobs;

static async void both(fm_mutex *x, fm_mutex *y) {
  fm_lock(x); // line 11
  fm_sleep(10);
  fm_lock(y);
  fm_unlock(y);
  fm_unlock(x);
}
static async void forgets(fm_mutex *m) {
  fm_lock(m); // line 18
  fm_sleep(1);
}
static async void worker(void) {
  try {
    fm_recv(&jobs);
  } catch (struct fm_closed e) {
  }
}
async int main(int argc, char **argv) {
  fm_mutex own;
  fm_mutex *far = malloc(sizeof *far);
  fm_mutex_init(&own);
  fm_mutex_init(far);
  switch (argc > 1 ? atoi(argv[1]) : 0) {
  case 1:
    fm_set_name(fm_self(), "first");
    spawn both(&a, &b);
    spawn both(&b, &a);
    break;
  case 2: {
    auto t = spawn forgets(&locks[7]);
    await t;
    fm_lock(&locks[7]);
    break;
  }
  case 3:
    fm_chan_init(&jobs, 1);
    for (int i = 0; i < 6; i++)
      spawn worker();
    break;
  case 4:
    fm_lock(&own); // line 50
    fm_lock(&own);
    break;
  case 5:
    fm_lock(far);
    fm_lock(far);
    break;
  case 6: // it waits for the mutex, gets it, and does not give it back
    spawn both(&a, &b);
    spawn forgets(&a);
    fm_sleep(100);
    fm_lock(&a);
    break;
  }
  return 0;
}
END
for options in -O0 -O2; do
  "$FMCC" -g -w $options -o program program.c
  report() {
    status=0
    FERMATA_DRIVER=virtual ./program "$1" 2> err || status=$?
    [ "$status" = 1 ] || fail "$options $1: status $status"
  }
  report 1
  grep -q '#2 both: waits at program.c:13 for a mutex: `b`, held by #3 both since program.c:11$' err ||
    fail "$options: two mutexes"
  grep -q '#3 both: waits at program.c:13 for a mutex: `a`, held by #2 both since program.c:11$' err ||
    fail "$options: two mutexes"
  report 2
  grep -q 'for a mutex: in `locks`, held by #2 (ended) since program.c:18$' err ||
    fail "$options: the holder has ended"
  report 3
  grep -q '#2 worker: .* for a value from a channel: `jobs`; #3 worker, #4 worker, #5 worker' err ||
    fail "$options: a channel"
  grep -q '#5 worker and 2 more wait for it, too$' err || fail "$options: a channel"
  report 4
  grep -q 'for a mutex: a variable of #1 main, held by #1 main since program.c:50$' err ||
    fail "$options: a variable of a frame"
  report 5
  grep -q 'for a mutex: 0x[0-9a-f]*, held by #1 main since program.c:54$' err ||
    fail "$options: memory of malloc"
  report 6
  grep -q 'for a mutex: `a`, held by #3 (ended) since program.c:18$' err ||
    fail "$options: a lock after a wait"
done
