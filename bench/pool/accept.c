// An accept loop whose connections are spawned on a pool of one domain and of two, in turns.
// Milliseconds for 64 connections with a job each, the best of several chunks.
//     one, two    the pool has one domain, or two
//     share       of the connections on two, in percent, in the domain that has more: 50 is even
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/pool.h>

#include "../clock.h"
#include "accept.h"
#include <stdatomic.h>

enum { CHUNKS = 15 };

static fm_pool *one, *two;
static _Atomic int in_first;

static async void serve(int fd) throws(struct os_error) {
  uint64_t n;
  in_first += fm_domain_here() == fm_pool_domain(two, 0);
  defer fm_close(fd);
  if (fm_read_exact(fd, &n, sizeof n) != sizeof n) abort();
  n = job(n);
  fm_write_all(fd, &n, sizeof n);
}

static async double round_on(fm_pool *p, int listener, uint16_t port) throws(struct os_error) {
  pthread_t thread;
  double start = now();
  check(pthread_create(&thread, NULL, clients, &port) == 0);
  scope (all)
    for (int i = 0; i < CLIENTS; i++) {
      int fd = fm_accept(listener);
      spawn on(p) serve(fd);
    }
  pthread_join(thread, NULL);
  return (now() - start) / 1e6;
}

static async void measure(void) throws(struct os_error) {
  int listener = fm_listen("127.0.0.1", "0", CLIENTS);
  uint16_t port = (uint16_t)fm_local_port(listener);
  double best_one = 0, best_two = 0, best_share = 0;
  defer fm_close(listener);
  for (int k = 0; k < chunks(CHUNKS); k++) {
    keep_best(&best_one, round_on(one, listener, port));
    in_first = 0;
    keep_best(&best_two, round_on(two, listener, port));
    int more = in_first > CLIENTS / 2 ? in_first : CLIENTS - in_first;
    keep_best(&best_share, 100.0 * more / CLIENTS);
  }
  printf("one %.2f\ntwo %.2f\nshare %.1f\n", best_one, best_two, best_share);
}

async int main(void) {
  one = fm_pool_new(1);
  two = fm_pool_new(2);
  try {
    measure();
  } catch (struct os_error e) {
    fprintf(stderr, "accept: error %d\n", e.code);
    return 1;
  }
  fm_pool_free(one);
  fm_pool_free(two);
  return 0;
}
