// The thread that ends slices keeps no descriptor open that the program has closed.
#include "parts/async.h"
#include <poll.h>
#include <unistd.h>

static int flag;
static async void set(void) { flag = 1; }
static int look(void) { return flag; }

async int main(void) {
  int fds[2], made = pipe(fds);
  spawn set();
  while (!look()) {}              // until a slice is over: the thread is there
  close(fds[1]);
  struct pollfd p = { .fd = fds[0], .events = POLLIN };
  printf("%d %d\n", made == 0, poll(&p, 1, 2000)); // expect: 1 1
  printf("%d\n", (p.revents & POLLHUP) != 0);   // expect: 1
  close(fds[0]);
}
