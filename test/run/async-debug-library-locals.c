// With -g the variables of the library's macros, which share a place in the frame, clash with no one.
// flags: -g -Wshadow
#include <fermata.h>
#include <fermata/sync.h>
typedef fm_mvar(int) int_mvar;
typedef fm_chan(int) int_chan;

static async int twice(int_mvar *m) { fm_put(m, 1); return fm_take(m); }

async int main(void) {
  int_mvar m;
  int_chan c;
  fm_mvar_init(&m);
  fm_chan_init(&c, 2);
  fm_put(&m, 5);
  printf("%d\n", fm_take(&m));                    // expect: 5
  fm_put(&m, twice(&m) + 6);
  activate { if (fm_take(&m) == 7) fm_put(&m, 8); }
  yield;
  printf("%d\n", fm_take(&m));                    // expect: 8
  try {
    fm_send(&c, 1);
    fm_send(&c, 2);
    printf("%d\n", fm_recv(&c) + fm_recv(&c));    // expect: 3
  } catch (struct fm_closed e) {
    (void)e;
  }
  return 0;
}
