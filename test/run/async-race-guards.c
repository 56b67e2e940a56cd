// `case if (c)`: the arm takes part only if c holds when the race begins. Conditions are evaluated
// in order before the first arm starts, and may wait.
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/sync.h>
#include <fermata/time.h>

typedef fm_chan(int) chan;
static int asked;

static async int ready(int yes) {
  printf("asked %d\n", ++asked);
  fm_sleep(1);
  return yes;
}
static async int arm(int v) {
  printf("arm %d\n", v);
  fm_sleep((uint64_t)v);
  return v;
}
static async int either(chan *a, chan *b) throws(struct fm_closed) {
  race {
    case if (a) int v = fm_recv(a): return v;
    case if (b) int v = fm_recv(b): return 10 * v;
  }
}
static async void sends(chan *a, chan *b) throws(struct fm_closed) {
  fm_send(a, 1);
  fm_send(b, 2);
}
static async void none(void) {
  defer printf("left\n");
  race {
    case if (0) arm(1): printf("no\n");
  }
  printf("no\n");
}

async int main(void) {
  int v = 0;
  race {
    case if (ready(1)) v = arm(2): printf("2 won %d\n", v);
    case if (ready(0)) v = arm(1): printf("no\n");
    case if (asked == 2) v = arm(3): printf("no\n");
  }
  // expect: asked 1
  // expect: asked 2
  // expect: arm 2
  // expect: arm 3
  // expect: 2 won 2
  chan a, b;
  fm_chan_init(&a, 1);
  fm_chan_init(&b, 1);
  try {
    scope {
      spawn sends(&a, &b);
      v = either(&a, &b);                 // one is taken, one is left
    }
    printf("%d, left %zu\n", v, fm_chan_count(&a) + fm_chan_count(&b));  // expect: 1, left 1
    printf("%d\n", either(NULL, &b));     // expect: 20
  } catch (struct fm_closed e) {
  }
  scope (s) {                             // none takes part: it waits until it is cancelled
    fm_cancel_after(s, 5);
    none();                               // expect: left
  }
  try {
    none();                               // expect: left
  } catch (struct fm_deadlock e) {
    printf("deadlock\n");                 // expect: deadlock
  }
  int n = 0;
  race {                                  // a condition with an effect of its own
    case if (n++ == 0) arm(1): printf("%d\n", n);   // expect: arm 1
    case if (n++ == 0) arm(1): printf("no\n");      // expect: 2
  }
  return 0;
}
