// Who waits for what no one can give is told so, and what it is.
// status: 1
#include <fermata.h>
#include <fermata/sync.h>

typedef fm_chan(int) int_chan;
typedef fm_mvar(int) int_var;
static int_chan c;
static int_var v;

static async void sender(void) {
  try {
    fm_send(&c, 1);
  } catch (struct fm_closed e) {
    (void)e;
  }
}

static async void taker(void) { fm_take(&v); }

async int main(void) {
  fm_chan_init(&c, 0);
  fm_mvar_init(&v);
  printf("waiting\n");            // expect: waiting
  spawn sender();
  taker();
  return 0;
}
