// warm-up.h: for tests that count the descriptors of this process.
#include "../../stress/descriptors.h"

#include <fermata.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <unistd.h>

static intptr_t nap(void *unused) {
  (void)unused;
  return usleep(2000);
}

// What the runtime opens when it has to wait for the first time is open after this.
static async void warm_up(void) throws(struct os_error) {
  int fds[2];
  char c;
  fm_pipe(fds);
  try {
    fm_within(1, fm_read(fds[0], &c, 1));
  } catch (struct fm_timeout e) {
    (void)e;
  }
  fm_offload(nap, NULL);
  fm_close(fds[0]), fm_close(fds[1]);
}
