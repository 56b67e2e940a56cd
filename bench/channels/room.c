// 10^5 pairs of activities that wait for one another, with a channel each: bytes a pair.
#include <fermata.h>
#include <fermata/sync.h>

#include "../memory/resident.h"

enum { N = 100000 };
typedef fm_chan(int) int_chan;
static long received;

// The channel, until it has gone there and back.
static async void answer(int_chan *c) throws(struct fm_closed) {
  fm_send(c, fm_recv(c) + 1);
}

static async void ask(int_chan *c, int_chan *begin) throws(struct fm_closed) {
  fm_recv(begin);
  fm_send(c, 1);
  received += fm_recv(c);
  fm_chan_free(c);
  free(c);
}

static async void all(void) throws(struct fm_closed) {
  int_chan begin;
  double before = resident();
  fm_chan_init(&begin, 0);
  scope (s) {
    for (int i = 0; i < N; i++) {
      int_chan *c = malloc(sizeof *c);
      if (!c)
        abort();
      fm_chan_init(c, 0);
      spawn answer(c);
      spawn ask(c, &begin);
    }
    yield;
    printf("bytes %.1f\n", (resident() - before) / N);
    for (int i = 0; i < N; i++)
      fm_send(&begin, 1);
  }
}

int main(void) {
  try {
    run all();
  } catch (struct fm_closed e) {
    (void)e;
  }
  if (received != 2L * N)
    abort();
  return 0;
}
