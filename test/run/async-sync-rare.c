// Channels where a function was resumed: what is rare is done on its way out, and it goes on behind it.
#include <fermata.h>
#include <fermata/sync.h>

#include <errno.h>
#include <stdio.h>

typedef fm_chan(int) int_chan;
static int_chan a, b;
static int received;

// It was resumed when it finds the channel closed: its handler has the variables as they were, and goes back to the loop.
static async void send_until_closed(void) {
  for (int i = 1, missed = 0;; i++)
    try {
      fm_send(&a, i);
    } catch (struct fm_closed e) {
      (void)e;
      if (++missed == 2) {
        printf("the %dth was too late, errno %d\n", i, errno);
        return;
      }
    }
}

static async int take(int n) {
  int sum = 0;
  try {
    for (int i = 0; i < n; i++)
      sum += fm_recv(&a);
  } catch (struct fm_closed e) {
    (void)e;
  }
  return sum;
}

// Who waits in a shield is served by the library.
static async void take_one(void) {
  shield {
    try {
      received += fm_recv(&b);
    } catch (struct fm_closed e) {
      (void)e;
    }
  }
}

// So many one after the other that a stack of them would not do.
static async void give(int n) {
  yield;
  errno = 7;
  try {
    for (int i = 0; i < n; i++)
      fm_send(&b, 1);
  } catch (struct fm_closed e) {
    (void)e;
  }
  printf("errno %d\n", errno);
}

async int main(void) {
  enum { MANY = 200000 };
  fm_chan_init(&a, 0);
  fm_chan_init(&b, 0);
  spawn send_until_closed();
  printf("%d\n", take(10));                       // expect: 55
  errno = 5;
  fm_chan_close(&a);
  yield;                                          // expect: the 12th was too late, errno 0
  scope {
    for (int i = 0; i < MANY; i++)
      spawn take_one();
    spawn give(MANY);
  }
  // expect: errno 7
  printf("%d\n", received);                       // expect: 200000
}
