// Domains that accept from one listener, and clients in all of them: every connection is served once, and whole.
// expect: good
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOMAINS = 3, CLIENTS = 200, MESSAGES = 10 };

static _Atomic int answered;

static async void echo(int fd) {
  char buf[64];
  defer fm_close(fd);
  try {
    for (ssize_t n; (n = fm_read(fd, buf, sizeof buf)) > 0; answered++)
      fm_write_all(fd, buf, (size_t)n);
  } catch (struct os_error e) {
    printf("server: %s\n", strerror(e.code));
  }
}

static async void accept_all(int listener) throws(struct os_error) {
  for (;;)
    spawn echo(fm_accept(listener));
}

static async int client(const char *port, int id) throws(struct os_error) {
  int fd = fm_connect("127.0.0.1", port), right = 0;
  char question[16], answer[16];
  defer fm_close(fd);
  for (int i = 0; i < MESSAGES; i++) {
    size_t n = (size_t)snprintf(question, sizeof question, "%d.%d", id, i);
    fm_write_all(fd, question, n);
    right += fm_read_exact(fd, answer, n) == n && memcmp(question, answer, n) == 0;
  }
  return right;
}

static async void serve(int listener, fm_pool *pool) throws(struct os_error) {
  task(void) servers[DOMAINS];
  task(int) clients[CLIENTS];
  char port[8];
  int right = 0;
  snprintf(port, sizeof port, "%d", fm_local_port(listener));
  for (int i = 0; i < DOMAINS; i++)
    servers[i] = spawn on(pool) accept_all(listener);
  for (int i = 0; i < CLIENTS; i++)
    clients[i] = i % 2 ? spawn on(pool) client(port, i) : spawn client(port, i);
  for (int i = 0; i < CLIENTS; i++)
    right += await clients[i];
  for (int i = 0; i < DOMAINS; i++)
    fm_cancel(fm_id(servers[i]));
  for (int i = 0; i < DOMAINS; i++)
    fm_join(fm_id(servers[i]));
  puts(right == CLIENTS * MESSAGES && answered == right ? "good" : "bad");
}

async int main(void) {
  fm_pool *pool = fm_pool_new(DOMAINS);
  defer fm_pool_free(pool);
  try {
    int listener = fm_listen("127.0.0.1", "0", CLIENTS);
    defer fm_close(listener);
    serve(listener, pool);
  } catch (struct os_error e) {
    printf("%s\n", strerror(e.code));
  }
}
