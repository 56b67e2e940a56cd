// Whoever notices the end of a connection closes it, once.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>
#include <stdbool.h>

struct connection {
  int fd;
  bool open;
};
static int closed;
static fm_mutex log_lock;

static async void log_end(void) {
  fm_lock(&log_lock);
  fm_unlock(&log_lock);
}

static async void hang_up(struct connection *c) {
  if (!c->open)
    return;
#ifdef MENDED
  c->open = false;
  log_end();
#else
  log_end();
  c->open = false;
#endif
  closed++;
}

async int main(void) {
  struct connection c = { 3, true };
  scope {
    spawn hang_up(&c);
    spawn hang_up(&c);
  }
  assert(closed == 1);
  return 0;
}
