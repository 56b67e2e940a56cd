// An accept loop with `spawn on(pool)` for each connection: the connections, which live long and
// wait most of the time, spread over the domains of the pool. On a busy machine one domain may have
// no processor for a while, and the other takes its starts: so there are several rounds.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <stdatomic.h>

enum { CLIENTS = 40 };
static char port[16];
static fm_pool *pool;
static _Atomic int there[2];

static async void echo(int fd) throws(struct os_error) {
  char buf[16];
  ssize_t n;
  there[fm_domain_here() == fm_pool_domain(pool, 1)]++;
  defer fm_close(fd);
  while ((n = fm_read(fd, buf, sizeof buf)) > 0) fm_write_all(fd, buf, (size_t)n);
}

static async void serve(int l) throws(struct os_error) {
  scope (all)
    for (int i = 0; i < CLIENTS; i++) {
      int fd = fm_accept(l);
      spawn on(pool) echo(fd);
    }
}

static async bool answers(int fd, char c) throws(struct os_error) {
  char got = 0;
  fm_write_all(fd, &c, 1);
  return fm_read_exact(fd, &got, 1) == 1 && got == c;
}

static async int clients(void) throws(struct os_error) {
  int fds[CLIENTS], n = 0, right = 0;
  defer while (n) fm_close(fds[--n]);
  while (n < CLIENTS) {
    fds[n] = fm_connect("127.0.0.1", port);
    n++;
    right += answers(fds[n - 1], (char)n);
  }
  for (int i = 0; i < CLIENTS; i++) right += answers(fds[i], (char)(i + 1));
  return right;
}

static async bool is_spread(void) throws(struct os_error) {
  int l = fm_listen("127.0.0.1", "0", CLIENTS);
  defer fm_close(l);
  snprintf(port, sizeof port, "%d", fm_local_port(l));
  there[0] = there[1] = 0;
  scope (all) {
    spawn serve(l);
    if (clients() != 2 * CLIENTS) printf("wrong answers\n");
  }
  if (there[0] + there[1] != CLIENTS) printf("wrong number of connections\n");
  return there[0] >= CLIENTS / 4 && there[1] >= CLIENTS / 4;
}

async int main(void) {
  pool = fm_pool_new(2);
  try {
    int rounds = 0;
    while (rounds < 20 && !is_spread()) rounds++;
    printf("%s\n", rounds < 20 ? "spread" : "not spread"); // expect: spread
  } catch (struct os_error e) {
    printf("error %d\n", e.code);
  }
  fm_pool_free(pool);
}
