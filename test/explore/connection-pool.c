// A pool of connections to a database: at most LIMIT are open at a time. An activity that finds no
// idle connection opens one, or waits until one is given back.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <stdlib.h>

enum { LIMIT = 2, CLIENTS = 4, QUERIES = 3 };

// ---- the server's side ----
static struct {
  int connections, most;
  int queries;
} server;

struct connection {
  struct connection *next; // in the list of idle ones
  int number;
};

static async struct connection *dial(void) {
  struct connection *c = calloc(1, sizeof *c);
  fm_sleep(5);
  c->number = ++server.connections;
  if (server.connections > server.most)
    server.most = server.connections;
  return c;
}

static async void query(struct connection *c, int client) {
  assert(c->number > 0);
  fm_sleep((uint64_t)(client + 1));
  server.queries++;
}

// ---- the pool ----
static struct {
  struct connection *idle;
  int open;
  fm_mutex lock;
  fm_cond given_back;
} pool;

static async struct connection *acquire(void) {
  fm_lock(&pool.lock);
  defer fm_unlock(&pool.lock);
  for (;;) {
    if (pool.idle) {
      struct connection *c = pool.idle;
      pool.idle = c->next;
      return c;
    }
    if (pool.open < LIMIT) {
#ifdef MENDED
      pool.open++;
      fm_unlock(&pool.lock);
      struct connection *c = dial();
      fm_lock(&pool.lock);
#else
      fm_unlock(&pool.lock); // others must not wait for a handshake
      struct connection *c = dial();
      fm_lock(&pool.lock);
      pool.open++;
#endif
      return c;
    }
    fm_cond_wait(&pool.given_back, &pool.lock);
  }
}

static async void release(struct connection *c) {
  fm_lock(&pool.lock);
  c->next = pool.idle;
  pool.idle = c;
  fm_cond_signal(&pool.given_back);
  fm_unlock(&pool.lock);
}

static async void client(int number) {
  for (int i = 0; i < QUERIES; i++) {
    struct connection *c = acquire();
    defer release(c);
    query(c, number);
  }
}

async int main(void) {
  scope for (int i = 0; i < CLIENTS; i++) spawn client(i);
  assert(server.queries == CLIENTS * QUERIES);
  assert(server.most <= LIMIT);
  while (pool.idle) {
    struct connection *c = pool.idle;
    pool.idle = c->next;
    free(c);
  }
  return 0;
}
