// A list is walked with pauses, while another activity takes entries out of it and frees them.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>
#include <stdlib.h>

struct client {
  struct client *next;
  int id; // -1: gone
};
static struct client *clients;
static fm_mutex out;

static async void send_to(struct client *c) {
  fm_lock(&out);
  assert(c->id >= 0);
  fm_unlock(&out);
}

static async void broadcast(void) {
#ifdef MENDED
  atomic
#endif
  for (struct client *c = clients; c; c = c->next)
    send_to(c);
}

static async void leave(int id) {
  for (struct client **p = &clients; *p; p = &(*p)->next)
    if ((*p)->id == id) {
      struct client *gone = *p;
      *p = gone->next;
      gone->id = -1; // as a freed one would be
      return;
    }
}

async int main(void) {
  static struct client all[4];
  for (int i = 0; i < 4; i++) {
    all[i] = (struct client){ clients, i };
    clients = &all[i];
  }
  auto a = spawn broadcast();
  auto b = spawn leave(1);
  auto c = spawn leave(2);
  await a;
  await b;
  await c;
  return 0;
}
