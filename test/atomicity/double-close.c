// A connection is closed by its reader and by a timeout: both have seen that it is open.
// reports: an update is lost
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>
#include <stdlib.h>

struct connection {
  int fd;
  unsigned sent;
};
static int closed[8];

static async void say_goodbye(int fd) {
  fm_sleep((uint64_t)fd);
}

static async void shut(struct connection *c) {
  if (c->fd < 0)
    return;
  int fd = c->fd;
#ifdef MENDED
  c->fd = -1;
  say_goodbye(fd);
  closed[fd]++;
#else
  say_goodbye(fd);
  closed[fd]++;
  c->fd = -1;
#endif
}

static async void timeout(struct connection *c) {
  fm_sleep(2);
  shut(c);
}

static async void reader(struct connection *c) {
  fm_sleep(2);
  shut(c);
}

async int main(void) {
  struct connection *c = malloc(sizeof *c);
  c->fd = 3;
  auto a = spawn timeout(c);
  auto b = spawn reader(c);
  await a;
  await b;
  printf("closed %d times\n", closed[3]);
  free(c);
  return 0;
}
