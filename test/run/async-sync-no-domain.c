// A thread that is no domain cannot use a channel of one: it can post to a mailbox.
// flags: -pthread
// status: 134
#include "parts/async.h"
#include <fermata/sync.h>
#include <pthread.h>

typedef fm_chan(int) int_chan;
static int_chan c;

static void *other(void *arg) {
  printf("%d\n", fm_try_send(&c, 1));
  return arg;
}

async int main(void) {
  pthread_t t;
  fm_chan_init(&c, 1);
  printf("before\n"); // expect: before
  fflush(stdout);
  pthread_create(&t, NULL, other, NULL);
  pthread_join(t, NULL);
  return 0;
}
