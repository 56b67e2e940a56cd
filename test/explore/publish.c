// Subscribers of a topic; each has a small inbox, so that publishing may have to wait. A subscriber
// leaves when it has seen enough.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>
#include <stdlib.h>

typedef fm_chan(int) inbox;

struct subscriber {
  struct subscriber *next;
  inbox messages;
  int wants;
#ifdef MENDED
  int users; // publishers that are at it
  bool gone;
#endif
};

static struct {
  struct subscriber *first;
  int delivered;
} topic;

static struct subscriber *subscribe(int wants) {
  struct subscriber *s = calloc(1, sizeof *s);
  fm_chan_init(&s->messages, 1);
  s->wants = wants;
  s->next = topic.first;
  topic.first = s;
  return s;
}

static void unlink_subscriber(struct subscriber *s) {
  struct subscriber **p = &topic.first;
  while (*p != s)
    p = &(*p)->next;
  *p = s->next;
}

static void unsubscribe(struct subscriber *s) {
  fm_chan_close(&s->messages);
#ifdef MENDED
  s->gone = true;
  if (s->users)
    return;
#endif
  unlink_subscriber(s);
  fm_chan_free(&s->messages);
  free(s);
}

#ifdef MENDED
static struct subscriber *hold(struct subscriber *s) {
  if (s)
    s->users++;
  return s;
}

static struct subscriber *next_of(struct subscriber *s) {
  struct subscriber *next = hold(s->next);
  if (--s->users == 0 && s->gone)
    unsubscribe(s);
  return next;
}
#else
static struct subscriber *hold(struct subscriber *s) {
  return s;
}

static struct subscriber *next_of(struct subscriber *s) {
  return s->next;
}
#endif

static async void publish(int message) {
  for (struct subscriber *s = hold(topic.first); s; s = next_of(s))
    try {
      fm_send(&s->messages, message);
      topic.delivered++;
    } catch (struct fm_closed e) {
      (void)e;
    }
}

static async void reader(struct subscriber *s) {
  int last = 0, message = 0;
  while (s->wants > 0 && fm_recv_or_closed(&s->messages, &message)) {
    assert(message > last);
    last = message;
    s->wants--;
  }
  unsubscribe(s);
}

async int main(void) {
  scope {
    for (int i = 1; i <= 3; i++)
      spawn reader(subscribe(i));
    for (int i = 1; i <= 6; i++) {
      publish(i);
      yield;
    }
  }
  assert(topic.delivered >= 6);
  return 0;
}
