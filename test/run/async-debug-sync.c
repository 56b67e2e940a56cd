// With -g and without -O: several operations of the library in one function, whose variables share their place in the frame.
// flags: -g
#include <fermata.h>
#include <fermata/sync.h>

typedef fm_mvar(int) int_mvar;
typedef fm_chan(int) int_chan;
static int_mvar v;
static int_chan c;

static async int both(int n) throws(struct fm_closed) {
  switch (n) {
  case 1: fm_put(&v, 5); break;
  case 2: fm_send(&c, fm_take(&v) + 1); break;
  default: return fm_recv(&c);
  }
  return n;
}

async int main(void) throws(struct fm_closed) {
  fm_mvar_init(&v);
  fm_chan_init(&c, 1);
  for (int i = 1; i < 4; i++) printf("%d\n", both(i));
  return 0;
}
// expect: 1
// expect: 2
// expect: 6
