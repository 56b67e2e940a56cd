// Ten thousand arms: one value is taken, none is lost.
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/sync.h>
#include <fermata/time.h>
#include <stdlib.h>

enum { N = 10000, ROUNDS = 20 };
typedef fm_chan(int) chan;
static chan c[N];
static long sent, got;

static async void send_some(unsigned seed, int several) throws(struct fm_closed) {
  fm_sleep(1);
  for (int k = 0; k < several; k++) {
    seed = seed * 1664525u + 1013904223u;
    if (fm_try_send(&c[(seed >> 8) % N], (int)(seed >> 8) % N))
      sent++;
  }
}

async int main(void) {
  int wrong = 0;
  for (int i = 0; i < N; i++) fm_chan_init(&c[i], 1);
  try {
    for (int r = 0; r < ROUNDS; r++) scope {
      spawn send_some((unsigned)r, 1 + r % 3);
      race {
        for (int i = 0; i < N; i++) case int v = fm_recv(&c[i]):
          got++;
          wrong += v != i;
      }
    }
  } catch (struct fm_closed e) {
  }
  long left = 0;
  for (int i = 0; i < N; i++) left += (long)fm_chan_count(&c[i]);
  printf("%d wrong, %ld lost\n", wrong, sent - got - left);   // expect: 0 wrong, 0 lost
  printf("%ld got\n", got);                                   // expect: 20 got
  return 0;
}
