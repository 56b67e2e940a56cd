// Plain code that blocks, in other threads: they run at the same time, what has not begun can be cancelled, what has is waited for.
// env: FERMATA_OFFLOAD=2
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <stdatomic.h>
#include <unistd.h>

static _Atomic int begun, ended;

static intptr_t slow(void *arg) {
  atomic_fetch_add(&begun, 1);
  usleep(20000);
  atomic_fetch_add(&ended, 1);
  return (intptr_t)arg * 2;
}

static intptr_t quick(void *arg) {
  return *(int *)arg;
}

async int main(void) {
  task(intptr_t) t[3];
  for (intptr_t i = 0; i < 2; i++) t[i] = spawn fm_offload(slow, (void *)i);
  intptr_t sum = 0;
  for (int i = 0; i < 2; i++) sum += await t[i];
  printf("%d\n", (int)sum);                       // expect: 2
  int v = 7;
  printf("%d\n", (int)fm_offload(quick, &v));     // expect: 7
  printf("%d\n", (int)atomic fm_offload(quick, &v)); // expect: 7

  // three on two threads: cancelled after 5 ms, the third has not begun
  begun = ended = 0;
  scope (s) {
    fm_cancel_after(s, 5);
    for (intptr_t i = 0; i < 3; i++) spawn fm_offload(slow, (void *)i);
  } else {
    printf("%d %d\n", begun, ended);              // expect: 2 2
  }
  fm_offload_threads(8);
  begun = ended = 0;
  scope (s) for (int i = 0; i < 8; i++) spawn fm_offload(slow, NULL);
  printf("%d\n", ended);                          // expect: 8
  race {                                          // names and files have threads of their own
    case fm_offload(slow, NULL): printf("?\n"); break;
    case fm_sleep(1): printf("slept\n"); break;   // expect: slept
  }
  return 0;
}
