// Parameters that never change stay in their fields while the function waits and yields; those that change are stored each time:
// by assignment, increments, what a call returns, behind parentheses, in one branch only, in a handler.
// warn: ok
#include "parts/async.h"
#include <fermata/sync.h>

typedef fm_chan(int) int_chan;

static async void feed(int_chan *c, int n) {
  try {
    for (int i = 1; i <= n; i++)
      fm_send(c, i);
  } catch (struct fm_closed e) {
    (void)e;
  }
  fm_chan_close(c);
}

static async int take(int_chan *c, int n, int plus, int times, int last, int found) {
  try {
    for (int i = 0; i < n; i++) {
      plus += fm_recv(c);
      if (i % 2) yield;
      if (i == 2) (times) = later(7);
      last++;
    }
  } catch (struct fm_closed e) {
    (void)e;
    found = n;
    yield;
  }
  return plus * 10000 + times * 1000 + last * 10 + (found == n);
}

static async int test(int first) {
  int_chan c;
  fm_chan_init(&c, first ? 2 : 0);
  if (first) yield;
  auto t = spawn feed(&c, 5);
  int sum = take(&c, first ? 9 : 5, 1, 2, 3, 4);
  await t;
  return sum;
}

async int main(void) {
  int a = test(0);                          // closed when all has been taken
  int b = test(1);                          // and sooner
  printf("%d %d\n", a, b);                  // expect: 167080 167081
}
