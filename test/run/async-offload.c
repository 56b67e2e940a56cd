// Plain code that blocks, in other threads: they run at the same time, what has not begun can be cancelled, what has is waited for.
// env: FERMATA_OFFLOAD=2
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <stdatomic.h>
#include <unistd.h>

static _Atomic int begun, ended, open_gate, meet;

static void block_until(_Atomic int *count, int n) {
  while (*count < n) usleep(500);
}

static intptr_t meets(void *arg) {                // returns only if so many run at the same time
  begun++;
  block_until(&begun, meet);
  ended++;
  return (intptr_t)arg * 2;
}

static intptr_t gated(void *arg) {
  begun++;
  block_until(&open_gate, 1);
  ended++;
  return (intptr_t)arg;
}

static intptr_t quick(void *arg) {
  return *(int *)arg;
}

static async void until(_Atomic int *count, int n) { while (*count < n) fm_sleep(1); }

static async void opens(void) {
  until(&begun, 1);
  open_gate = 1;
}

async int main(void) {
  task(intptr_t) t[2];
  meet = 2;
  for (intptr_t i = 0; i < 2; i++) t[i] = spawn fm_offload(meets, (void *)i);
  intptr_t sum = 0;
  for (int i = 0; i < 2; i++) sum += await t[i];
  printf("%d\n", (int)sum);                       // expect: 2
  int v = 7;
  printf("%d\n", (int)fm_offload(quick, &v));     // expect: 7
  printf("%d\n", (int)atomic fm_offload(quick, &v)); // expect: 7

  begun = ended = 0;                              // three on two threads: the third has not begun
  scope (s) {
    for (intptr_t i = 0; i < 3; i++) spawn fm_offload(gated, (void *)i);
    until(&begun, 2);
    fm_cancel(s);
    open_gate = 1;
  } else {
    printf("%d %d\n", begun, ended);              // expect: 2 2
  }
  fm_offload_threads(8);
  begun = ended = 0;
  meet = 8;
  scope (s) for (int i = 0; i < 8; i++) spawn fm_offload(meets, NULL);
  printf("%d\n", ended);                          // expect: 8
  begun = open_gate = 0;
  race {
    case fm_offload(gated, NULL): printf("?\n"); break;
    case opens(): printf("opened\n"); break;      // expect: opened
  }
  return 0;
}
