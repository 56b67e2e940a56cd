// echo.c: a server that sends back what it gets, and three clients; a connection on which nothing comes for a second is closed.
#include <fermata.h>
#include <fermata/io.h>
#include <string.h>

static async void serve(int fd) {
  char buf[4096];
  defer fm_close(fd);
  try {
    for (;;) {
      ssize_t n = 0;
      scope (idle) {
        fm_cancel_after(idle, 1000);
        n = fm_read(fd, buf, sizeof buf);
      }
      if (n <= 0) return;
      fm_write_all(fd, buf, (size_t)n);
    }
  } catch (struct os_error e) {
    fprintf(stderr, "%s\n", strerror(e.code));
  }
}

static async void server(int listening) throws(struct os_error) {
  for (;;) spawn serve(fm_accept(listening));
}

static async size_t client(const char *port) throws(struct os_error) {
  char buf[12];
  size_t n = 0;
  int fd = fm_connect("127.0.0.1", port);
  defer fm_close(fd);
  for (int i = 0; i < 3; i++) {
    fm_write_all(fd, "hello, world", 12);
    n += fm_read_exact(fd, buf, 12);
  }
  return n;
}

async int main(void) {
  try {
    char port[8];
    size_t bytes = 0;
    int listening = fm_listen("127.0.0.1", "0", 64);
    snprintf(port, sizeof port, "%d", fm_local_port(listening));
    scope (all) {
      spawn server(listening);
      for (int i = 0; i < 3; i++) bytes += client(port);
      fm_cancel(all);
    }
    fm_close(listening);
    printf("3 clients, %zu bytes each\n", bytes / 3);
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  return 0;
}
// output: 3 clients, 36 bytes each
