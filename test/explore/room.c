// A chat room: a message goes to each member in turn; a member may leave at any time.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>
#include <stdlib.h>

enum { MEMBERS = 4 };
typedef fm_chan(int) line;

struct member {
  int number;
  line in;
  int got;
  bool present;
};

static struct {
  struct member *members[MEMBERS];
  int count;
} room;

static struct member people[MEMBERS];

static void join(struct member *m) {
  room.members[room.count++] = m;
  m->present = true;
}

static void leave(struct member *m) {
  int i = 0;
  while (room.members[i] != m)
    i++;
  room.members[i] = room.members[--room.count];
  m->present = false;
}

static async void broadcast(int text) {
#ifdef MENDED
  struct member *now[MEMBERS];
  int n = room.count;
  for (int i = 0; i < n; i++)
    now[i] = room.members[i];
  for (int i = 0; i < n; i++)
#else
  for (int i = 0; i < room.count; i++)
#endif
    try {
#ifdef MENDED
      fm_send(&now[i]->in, text);
#else
      fm_send(&room.members[i]->in, text);
#endif
    } catch (struct fm_closed e) {
      (void)e;
    }
}

static async void listen_to(struct member *m, int messages) {
  int text;
  while (m->got < messages && fm_recv_or_closed(&m->in, &text))
    m->got++;
  leave(m);
  fm_chan_close(&m->in);
}

static async void speak(int messages) {
  for (int i = 0; i < messages; i++)
    broadcast(i);
  for (int i = 0; i < MEMBERS; i++)
    fm_chan_close(&people[i].in);
}

async int main(void) {
  static const int stays[MEMBERS] = { 1, 3, 2, 3 };
  for (int i = 0; i < MEMBERS; i++) {
    people[i].number = i;
    fm_chan_init(&people[i].in, 0);
    join(&people[i]);
  }
  scope {
    for (int i = 0; i < MEMBERS; i++)
      spawn listen_to(&people[i], stays[i]);
    spawn speak(3);
  }
  for (int i = 0; i < MEMBERS; i++)
    assert(people[i].got == stays[i]);
  assert(room.count == 0);
  return 0;
}
