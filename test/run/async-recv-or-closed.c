// fm_recv_or_closed: false when the channel is closed and empty; nothing is thrown.
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/sync.h>
#include <fermata/time.h>

typedef fm_chan(int) chan;
typedef fm_chan(struct point) points;
struct point {
  int x, y;
};

static async void produce(chan *c, int n) throws(struct fm_closed) {
  for (int i = 0; i < n; i++) fm_send(c, i);
  fm_sleep(2);
  fm_chan_close(c);
}
static async int sum(chan *c) {
  int v, total = 0;
  while (fm_recv_or_closed(c, &v)) total += v;
  return total;
}
static async int waits(chan *c, int *v) { return fm_recv_or_closed(c, v); }

async int main(void) {
  chan c, d;
  fm_chan_init(&c, 0);
  fm_chan_init(&d, 4);
  try {
    scope {
      spawn produce(&c, 10);
      printf("%d\n", sum(&c));                          // expect: 45
    }
    for (int i = 1; i < 4; i++) fm_send(&d, i);
    fm_chan_close(&d);
    printf("%d %d\n", sum(&d), sum(&d));                // expect: 6 0
    points p;
    fm_chan_init(&p, 1);
    fm_send(&p, (struct point){ 3, 4 });
    struct point q;
    printf("%d, %d\n", fm_recv_or_closed(&p, &q), q.y); // expect: 1, 4
    chan e, f;
    fm_chan_init(&e, 1);
    fm_chan_init(&f, 1);
    int v = 7;
    scope (s) {                                         // cancelled: no effect
      fm_deadline(s, 1);
      fm_recv_or_closed(&e, &v);
      printf("no\n");
    }
    printf("%d\n", v);                                  // expect: 7
    fm_send(&e, 1);                                     // in arms: one is taken, one is left
    fm_send(&f, 2);
    race {
      case fm_recv_or_closed(&e, &v): printf("%d\n", v);  // expect: 1
      case waits(&f, &v): printf("no\n");
    }
    printf("%zu\n", fm_chan_count(&e) + fm_chan_count(&f));  // expect: 1
    scope {
      spawn produce(&e, 1);
      for (int i = 0; i < 2; i++) race {
        case bool open = fm_recv_or_closed(&e, &v): printf("%s\n", open ? "open" : "closed");
        case fm_sleep(100): printf("no\n");
      }
    }
    // expect: open
    // expect: closed
  } catch (struct fm_closed x) {
    printf("no\n");
  }
  return 0;
}
