// Channels: order, capacities, closing, try and batch forms, structures, deadlock-free hand-over.
// env: FERMATA_TICK=off
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>

typedef fm_chan(int) int_chan;
struct point { int x, y; char name[24]; };
typedef fm_chan(struct point) point_chan;
typedef fm_chan(int_chan *) chan_chan;

static async void produce(int_chan *c, int from, int n) throws(struct fm_closed) {
  for (int i = 0; i < n; i++)
    fm_send(c, from + i);
}

static async void produce_and_close(int_chan *c, int n) {
  try {
    produce(c, 0, n);
  } catch (struct fm_closed e) {
    (void)e;
    printf("not all sent\n");
  }
  fm_chan_close(c);
}

static async int sum_all(int_chan *c) {
  int sum = 0;
  try {
    for (;;)
      sum = sum * 3 % 1000 + fm_recv(c);
  } catch (struct fm_closed e) {
    (void)e;
  }
  return sum;
}

static async void orders(size_t cap) {
  int_chan c;
  fm_chan_init(&c, cap);
  auto t = spawn sum_all(&c);
  produce_and_close(&c, 50);
  printf("%d\n", await t);
}

static async void one(int_chan *c, int id) {
  try {
    int v = fm_recv(c);
    printf("%d got %d\n", id, v);
  } catch (struct fm_closed e) {
    (void)e;
    printf("%d: closed\n", id);
  }
}

static async void give(int_chan *c, int v) {
  try {
    fm_send(c, v);
    printf("sent %d\n", v);
  } catch (struct fm_closed e) {
    (void)e;
    printf("%d not sent\n", v);
  }
}

static async void first_come(void) {
  int_chan c;
  fm_chan_init(&c, 0);
  for (int i = 1; i <= 4; i++)
    spawn one(&c, i);
  yield;
  printf("%d ", fm_try_send(&c, 10));
  printf("%d\n", fm_try_send(&c, 20));
  give(&c, 30);
  fm_chan_close(&c);
  printf("%d %d\n", fm_try_send(&c, 40), fm_chan_closed(&c));
}

static async void closed_while_sending(void) {
  int_chan c;
  int v = 0;
  fm_chan_init(&c, 1);
  for (int i = 1; i <= 3; i++)
    spawn give(&c, i);
  yield;
  fm_chan_close(&c);
  yield;
  printf("%d ", fm_try_recv(&c, &v));
  printf("%d %d\n", v, fm_try_recv(&c, &v));
}

static async void structures(void) throws(struct fm_closed) {
  point_chan c;
  fm_chan_init(&c, FM_UNBOUNDED);
  for (int i = 0; i < 100; i++)
    fm_send(&c, ((struct point){ i, i * i, "a point" }));
  struct point p = { 0 };
  for (int i = 0; i < 60; i++)
    p = fm_recv(&c);
  for (int i = 100; i < 150; i++)
    fm_send(&c, ((struct point){ i, i * i, "another" }));
  printf("%d %d %s %zu\n", p.x, p.y, p.name, fm_chan_count(&c));
  for (int i = 0; i < 90; i++)
    p = fm_recv(&c);
  printf("%d %d %s %zu\n", p.x, p.y, p.name, fm_chan_count(&c));
  fm_chan_free(&c);
}

static async void batches(void) throws(struct fm_closed) {
  int_chan c;
  int from[] = { 1, 2, 3, 4, 5, 6 }, to[6];
  size_t sent = 0;
  fm_chan_init(&c, 4);
  printf("%zu", fm_try_send_n(&c, from, 6));
  printf(" %zu", fm_try_recv_n(&c, to, 3));
  printf(" %d %d %d\n", to[0], to[1], to[2]);
  activate {
    try {
      fm_send_n(&c, from, 6, &sent);
    } catch (struct fm_closed e) {
      (void)e;
    }
  }
  yield;
  printf("%zu", fm_recv_n(&c, to, 6));
  printf(" %d %d\n", to[0], to[3]);
  fm_chan_close(&c);
}

static async void channels_of_channels(void) throws(struct fm_closed) {
  chan_chan cc;
  int_chan c;
  fm_chan_init(&cc, 1);
  fm_chan_init(&c, 1);
  fm_send(&cc, &c);
  fm_send(fm_recv(&cc), 5);
  printf("%d\n", 1 + fm_recv(&c) * 2);
  fm_chan_free(&c);
  fm_chan_free(&cc);
}

static async int in_atomic(void) throws(struct fm_closed) {
  int_chan c;
  fm_chan_init(&c, 3);
  atomic {
    fm_send(&c, 1);
    fm_send(&c, 2);
  }
  int v = atomic fm_recv(&c);
  v = v * 10 + fm_recv(&c);
  fm_chan_free(&c);
  return v;
}

async int main(void) {
  orders(0);                                      // expect: 537
  orders(1);                                      // expect: 537
  orders(7);                                      // expect: 537
  orders(FM_UNBOUNDED);                           // expect: 537
  first_come();
  // expect: 1 1
  // expect: sent 30
  // expect: 0 1
  yield;
  // expect: 1 got 10
  // expect: 2 got 20
  // expect: 3 got 30
  // expect: 4: closed
  closed_while_sending();
  // expect: sent 1
  // expect: 2 not sent
  // expect: 3 not sent
  // expect: 1 1 0
  try {
    structures();
    // expect: 59 3481 a point 90
    // expect: 149 22201 another 0
    batches();
    // expect: 4 3 1 2 3
    // expect: 5 4 3
    channels_of_channels();                       // expect: 11
    printf("%d\n", in_atomic());                  // expect: 12
  } catch (struct fm_closed e) {
    (void)e;
    printf("closed\n");
  }
  return 0;
}
