// Channels and mailboxes in the language: nanoseconds a message, the best of several chunks.
//     pair0, pair1, pair128   one sender, one receiver, a channel of that capacity
//     pingpong                there and back over two channels: half of a round trip
//     pairs                   10^5 pairs with a channel each, one message, with their creation: for each pair
//     mailbox, mailpairs      the same as pair0 and pairs, with mailboxes
//     mailpingpong            the same as pingpong
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/sync.h>

#include "../clock.h"
#include <stdlib.h>

enum { N = 100000, CHUNKS = 100, PAIRS = 100000 };

typedef fm_chan(int) int_chan;
typedef fm_mailbox(int) int_box;

static int_chan chans[PAIRS];
static int_box boxes[PAIRS];

static async void sender(int_chan *c, int n) {
  try {
    for (int i = 0; i < n; i++)
      fm_send(c, 1);
  } catch (struct fm_closed e) {
    (void)e;
  }
}

static async int receiver(int_chan *c, int n) {
  int sum = 0;
  try {
    for (int i = 0; i < n; i++)
      sum += fm_recv(c);
  } catch (struct fm_closed e) {
    (void)e;
  }
  return sum;
}

static async int pair(int cap, int n) {
  int_chan c;
  fm_chan_init(&c, cap);
  spawn sender(&c, n);
  int sum = receiver(&c, n);
  fm_chan_free(&c);
  return sum;
}

static async int there(int_chan *to, int_chan *from, int n) {
  int sum = 0;
  try {
    for (int i = 0; i < n; i++) {
      fm_send(to, 1);
      sum += fm_recv(from);
    }
  } catch (struct fm_closed e) {
    (void)e;
  }
  return sum;
}

static async void back(int_chan *from, int_chan *to, int n) {
  try {
    for (int i = 0; i < n; i++)
      fm_send(to, fm_recv(from));
  } catch (struct fm_closed e) {
    (void)e;
  }
}

static async int pingpong(int n) {
  int_chan a, b;
  fm_chan_init(&a, 0);
  fm_chan_init(&b, 0);
  spawn back(&a, &b, n);
  return there(&a, &b, n);
}

static int received;

static async void receive_here(int_chan *c, int n) {
  try {
    for (int i = 0; i < n; i++)
      received += fm_recv(c);
  } catch (struct fm_closed e) {
    (void)e;
  }
}

static async void pairs(void) {
  for (int i = 0; i < PAIRS; i++) {
    fm_chan_init(&chans[i], 0);
    spawn receive_here(&chans[i], 1);
    spawn sender(&chans[i], 1);
  }
}

static async void post(int_box *m, int n) {
  for (int i = 0; i < n; i++) {
    fm_post(m, 1);
    yield;
  }
}

static async int receive(int_box *m, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += fm_receive(m);
  return sum;
}

static async int mail(int n) {
  int_box m;
  fm_mailbox_init(&m);
  spawn post(&m, n);
  int sum = receive(&m, n);
  fm_mailbox_free(&m);
  return sum;
}

static async void mail_back(int_box *from, int_box *to, int n) {
  for (int i = 0; i < n; i++)
    fm_post(to, fm_receive(from));
}

static async int mail_pingpong(int n) {
  int_box a, b;
  int sum = 0;
  fm_mailbox_init(&a);
  fm_mailbox_init(&b);
  auto t = spawn mail_back(&a, &b, n);
  for (int i = 0; i < n; i++) {
    fm_post(&a, 1);
    sum += fm_receive(&b);
  }
  await t;
  fm_mailbox_free(&a);
  fm_mailbox_free(&b);
  return sum;
}

static async void receive_mail(int_box *m) {
  received += fm_receive(m);
}

static async void mail_pairs(void) {
  for (int i = 0; i < PAIRS; i++) {
    fm_mailbox_init(&boxes[i]);
    spawn receive_mail(&boxes[i]);
    spawn post(&boxes[i], 1);
  }
}

static void check(int got, int want) {
  if (got != want)
    abort();
}

#define BEST(name, work, n, want)               \
  do {                                          \
    double best = 0;                            \
    for (int k = 0; k < chunks(CHUNKS); k++) {          \
      double start = now();                     \
      received = 0;                             \
      check(work, want);                        \
      keep_best(&best, (now() - start) / (n));  \
    }                                           \
    printf(name " %.2f\n", best);               \
  } while (0)

int main(void) {
  BEST("pair0", run pair(0, N), N, N);
  BEST("pair1", run pair(1, N), N, N);
  BEST("pair128", run pair(128, N), N, N);
  BEST("pingpong", run pingpong(N), 2.0 * N, N);
  BEST("pairs", (run pairs(), received), PAIRS, PAIRS);
  BEST("mailbox", run mail(N), N, N);
  BEST("mailpingpong", run mail_pingpong(N), 2.0 * N, N);
  BEST("mailpairs", (run mail_pairs(), received), PAIRS, PAIRS);
  return 0;
}
