// A race over channels of several domains: one value is taken, none is lost.
#include "parts/async.h"
#include <fermata/pool.h>
#include <fermata/sync.h>

enum { DOMAINS = 2, EACH = 4, N = DOMAINS * EACH, VALUES = 400 };
typedef fm_chan(int) chan;
static chan c[N];
static fm_sem ready;

static async void sender(int d) throws(struct fm_closed) {
  for (int i = 0; i < EACH; i++) fm_chan_init(&c[d * EACH + i], 1);
  fm_sem_post(&ready);
  for (int v = 0; v < VALUES; v++) race {
    for (int i = 0; i < EACH; i++) case fm_send(&c[d * EACH + i], d * VALUES + v):;
  }
}

async int main(void) {
  fm_pool *pool = fm_pool_new(DOMAINS);
  static char seen[DOMAINS * VALUES];
  int twice = 0;
  fm_sem_init(&ready, 0);
  try {
    scope {
      for (int d = 0; d < DOMAINS; d++) spawn on(pool) sender(d);
      for (int d = 0; d < DOMAINS; d++) fm_sem_wait(&ready);
      for (int k = 0; k < DOMAINS * VALUES; k++) race {
        for (int i = 0; i < N; i++) case int v = fm_recv(&c[i]): twice += seen[v]++;
      }
    }
  } catch (struct fm_closed e) {
    printf("closed\n");
  }
  printf("%d twice\n", twice);   // expect: 0 twice
  fm_pool_free(pool);
  return 0;
}
