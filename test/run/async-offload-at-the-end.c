// A domain, and then the program, end while work is under way in other threads and more is queued: what has begun is waited for, what has not never
// begins, and whoever waited unwinds.
// env: FERMATA_OFFLOAD=1
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static _Atomic int begun, ended, unwound, open_gate;

static intptr_t gated(void *arg) {
  (void)arg;
  begun++;
  while (!open_gate) usleep(500);
  ended++;
  return 0;
}

static async void works(void) {
  defer unwound++;
  fm_offload(gated, NULL);
}

static async void opens_when_cancelled(void) {
  defer open_gate = 1;
  fm_sleep(1000000);
}

static async void until(_Atomic int *count, int n) { while (*count < n) fm_sleep(1); }

static void report(void) { printf("%d begun, %d ended, %d unwound\n", begun, ended, unwound); }

async int main(void) {
  fm_domain *d = fm_domain_new(NULL);
  for (int i = 0; i < 3; i++) spawn detached on(d) works();
  spawn detached on(d) opens_when_cancelled();
  until(&begun, 1);
  fm_domain_free(d);
  report();                                       // expect: 1 begun, 1 ended, 3 unwound
  begun = ended = unwound = open_gate = 0;
  for (int i = 0; i < 3; i++) spawn detached works();
  spawn detached opens_when_cancelled();
  until(&begun, 1);
  atexit(report);                                 // expect: 1 begun, 1 ended, 3 unwound
}
