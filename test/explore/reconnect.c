// A client with one connection for all requests. A request that fails connects anew and is tried
// again.
#include <assert.h>
#include <fermata.h>
#include <fermata/time.h>
#include <stdlib.h>

enum { REQUESTS = 4, TRIES = 3 };

struct link {
  int number;
  bool broken; // the other side has gone
  bool closed;
  int pending; // requests that wait for their answers
};

static struct link links[32];
static int dialled;
static int lost; // requests that were given up

static struct { struct link *link; } client;

static async struct link *dial(void) {
  fm_sleep(2);
  struct link *l = &links[dialled++];
  l->number = dialled;
  return l;
}

static void hang_up(struct link *l) {
  assert(!l->closed);
  l->closed = true;
}

static async bool ask(struct link *l, int question) {
  l->pending++;
  fm_sleep((uint64_t)(1 + question % 3));
  l->pending--;
  return !l->broken && !l->closed;
}

static async void connect_anew(struct link *old) {
#ifdef MENDED
  if (client.link != old)
    return; // another request has done it
  client.link = NULL;
  hang_up(old);
  client.link = dial();
#else
  (void)old;
  hang_up(client.link);
  client.link = dial();
#endif
}

static async void request(int question) {
  for (int i = 0; i < TRIES; i++) {
#ifdef MENDED
    while (!client.link)
      fm_sleep(1);
#endif
    struct link *l = client.link;
    if (ask(l, question))
      return;
    connect_anew(l);
  }
  lost++;
}

static async void cable_cutter(void) {
  fm_sleep(1);
  client.link->broken = true;
}

async int main(void) {
  client.link = dial();
  scope {
    spawn cable_cutter();
    for (int i = 0; i < REQUESTS; i++)
      spawn request(i);
  }
  assert(lost == 0);
  return 0;
}
