// fm_send to a closed channel throws at once, whatever the size of its values and whether it was full, had room, or has no ring;
// what is in it can still be received. Children that outlive the function that started them, alone and under a scope, end it.
#include "parts/async.h"
#include <fermata/sync.h>

typedef fm_chan(int) four_chan;
typedef fm_chan(long long) eight_chan;
typedef struct point { int x, y, z; } point;
typedef fm_chan(point) point_chan;

#define CLOSED(name, T, cap, n, ...)                       \
  static async int name(void) {                            \
    T c;                                                   \
    int thrown = 0;                                        \
    fm_chan_init(&c, cap);                                 \
    for (int i = 0; i < (n); i++)                          \
      try { fm_send(&c, __VA_ARGS__); } catch (struct fm_closed e) { (void)e; } \
    fm_chan_close(&c);                                     \
    for (int i = 0; i < 3; i++)                            \
      try { fm_send(&c, __VA_ARGS__); } catch (struct fm_closed e) { (void)e; thrown++; } \
    for (int i = 0; i < (n) + 1; i++)                      \
      try { (void)fm_recv(&c); thrown += 10; } catch (struct fm_closed e) { (void)e; thrown += 100; } \
    fm_chan_free(&c);                                      \
    return thrown;                                         \
  }
CLOSED(four_none, four_chan, 0, 0, 1)
CLOSED(four_full, four_chan, 2, 2, 1)
CLOSED(four_room, four_chan, 2, 1, 1)
CLOSED(eight_none, eight_chan, 0, 0, 1)
CLOSED(eight_full, eight_chan, 1, 1, 1)
CLOSED(point_none, point_chan, 0, 0, { 1, 2, 3 })
CLOSED(point_room, point_chan, 4, 2, { 1, 2, 3 })

static int ended;

static async void child(int turns) {
  for (int i = 0; i < turns; i++)
    yield;
  ended++;
}

static async void parent(int n) {
  for (int i = 0; i < n; i++)
    spawn child(i % 3);
}

static async void scoped(int n) {
  scope {
    for (int i = 0; i < n; i++)
      spawn child(n - i);
  }
  ended += 100;
}

async int main(void) {
  printf("%d ", four_none());     // expect: 103 123 113 103 113 103 123
  printf("%d ", four_full());
  printf("%d ", four_room());
  printf("%d ", eight_none());
  printf("%d ", eight_full());
  printf("%d ", point_none());
  printf("%d\n", point_room());
  await spawn parent(7);
  printf("%d\n", ended);          // expect: 7
  auto t = spawn parent(5);
  await spawn scoped(4);
  await t;
  printf("%d\n", ended);          // expect: 116
}
