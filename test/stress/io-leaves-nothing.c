// Ten thousand connections, one after the other and some at once, and as many waits that are cancelled: after the first thousand the
// library uses no more memory and no more descriptors.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "descriptors.h"

static _Atomic long used;                         // bytes that the library has

static void *counted(void *ctx, void *p, size_t n) {
  (void)ctx;
  long was = p ? (long)malloc_usable_size(p) : 0;
  void *q = NULL;
  if (n)
    q = realloc(p, n);
  else
    free(p);
  if (q || !n) used += (q ? (long)malloc_usable_size(q) : 0) - was;
  return q;
}

__attribute__((constructor)) static void count_all(void) { fm_set_allocator(counted, NULL); }

static char port[16];

static async void serve(int fd) {
  char buf[100];
  try {
    for (ssize_t n; (n = fm_read(fd, buf, sizeof buf)) > 0;) fm_write_all(fd, buf, (size_t)n);
  } catch (struct os_error e) {
    printf("server: %s\n", strerror(e.code));
  }
  fm_close(fd);
}

static async void listens(int l) {
  try {
    for (;;) spawn serve(fm_accept(l));
  } catch (struct os_error e) {
    fm_checkpoint();                              // closed
  }
}

static intptr_t nothing(void *arg) { return (intptr_t)arg; }

static async void connection(int i) throws(struct os_error) {
  char buf[8];
  int fd = fm_connect("127.0.0.1", port);
  defer fm_close(fd);
  fm_write_all(fd, "hello", 5);
  if (fm_read_exact(fd, buf, 5) != 5) printf("lost\n");
  race {
    case fm_read(fd, buf, 1): printf("what?\n"); break;
    case fm_offload(nothing, NULL): break;
    case fm_sleep(5): break;
  }
  if (i % 16 == 0) scope (s) {
    fm_cancel_after(s, 1);
    fm_read(fd, buf, 1);
  }
}

static async void connections(int n) throws(struct os_error) {
  for (int i = 0; i < n; i += 4) {
    scope (some)
      for (int j = 0; j < 4; j++) spawn connection(i + j);
  }
}

async int main(void) {
  try {
    int l = fm_listen("127.0.0.1", "0", 64);
    snprintf(port, sizeof port, "%d", fm_local_port(l));
    auto server = spawn listens(l);
    connections(1000);
    fm_sleep(20);
    long memory = used;
    int open = descriptors();
    connections(9000);
    fm_sleep(20);
    if (used > memory + 20000) printf("%ld bytes more\n", used - memory);
    if (descriptors() > open) printf("%d descriptors more\n", descriptors() - open);
    fm_close(l);
    await server;
    printf("done\n");                             // expect: done
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  return 0;
}
