// Values that are arrays: they cannot be assigned, but they can be received by pointer.
#include <fermata.h>
#include <fermata/sync.h>

typedef int three[3];
typedef fm_chan(three) three_chan;
static three_chan c;

static async void receive_some(void) throws(struct fm_closed) {
  three v[4];
  size_t n = fm_recv_n(&c, v, 4);
  printf("%zu: %d\n", n, v[0][1]);
}

static async void receive_all(void) {
  three v;
  while (fm_recv_or_closed(&c, &v)) printf("%d %d\n", v[0], v[2]);
  printf("closed\n");
}

async int main(void) {
  three v[2] = { { 1, 2, 3 }, { 4, 5, 6 } };
  fm_chan_init(&c, 0);
  try {
    scope (all) {
      spawn receive_some();
      fm_send_n(&c, v, 1, NULL); // expect: 1: 2
    }
    scope (all) {
      spawn receive_all();
      fm_send_n(&c, v, 2, NULL);
      // expect: 1 3
      // expect: 4 6
      fm_chan_close(&c);         // expect: closed
    }
  } catch (struct fm_closed x) {
    (void)x;
    printf("no\n");
  }
  return 0;
}
