// fm_set_driver of the driver that is there changes nothing; none at all is a message.
// status: 1
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/time.h>

static async void nap(int n) {
  fm_sleep(1);
  printf("%d\n", n);
}

int main(void) {
  fm_driver *poll = fm_driver_poll();
  fm_set_driver(poll);
  run nap(1);                                     // expect: 1
  fm_set_driver(poll);
  run nap(2);                                     // expect: 2
  fm_set_driver(NULL);                            // as if fm_driver_uv() had failed
  printf("never\n");
  return 0;
}
