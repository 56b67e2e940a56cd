// `race fair` starts with a random arm: of several that can end at once each wins sometimes.
// Without it the first one wins. The word is free elsewhere.
#include "parts/async.h"
#include <fermata/sync.h>

typedef fm_chan(int) chan;
static int fair(int x) { return x; }

static async int fairly(chan *a, chan *b) throws(struct fm_closed) {
  race fair {
    case fm_recv(a): return 0;
    case fm_recv(b): return 1;
    case if (0) fm_recv(b): return 2;
  }
}
static async int in_order(chan *a, chan *b) throws(struct fm_closed) {
  race {
    case fm_recv(a): return 0;
    case fm_recv(b): return 1;
  }
}
static async int of_array(chan *c, int n) throws(struct fm_closed) {
  race fair {
    for (int i = 0; i < n; i++) case fm_recv(&c[i]): return i;
    default: return -1;
  }
}

async int main(void) {
  enum { N = 8, ROUNDS = 800 };
  chan c[N];
  int won[N] = { 0 }, first[2] = { 0 }, both[2] = { 0 }, v;
  for (int i = 0; i < N; i++) fm_chan_init(&c[i], 1);
  try {
    for (int r = 0; r < ROUNDS; r++) {
      for (int i = 0; i < N; i++) fm_try_send(&c[i], i);
      won[of_array(c, N)]++;
      for (int i = 0; i < N; i++) fm_try_send(&c[i], i);
      first[in_order(&c[0], &c[1])]++;
      for (int i = 0; i < N; i++) fm_try_send(&c[i], i);
      both[fairly(&c[0], &c[1])]++;
    }
    for (int i = 0; i < N; i++) fm_try_recv(&c[i], &v);
    printf("%d\n", of_array(c, N));                       // expect: -1
  } catch (struct fm_closed e) {
  }
  int seldom = 0;
  for (int i = 0; i < N; i++) seldom += won[i] < ROUNDS / N / 2;
  printf("%d seldom, %d %d\n", seldom, first[0], first[1]);  // expect: 0 seldom, 800 0
  printf("%d\n", both[0] > 200 && both[1] > 200);         // expect: 1
  return fair(0);
}
