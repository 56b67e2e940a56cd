// A limit of RATE requests in each window of 10 ms: an activity that finds the window full waits
// for the next one.
#include <assert.h>
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>

enum { RATE = 2, WINDOW = 10, CLIENTS = 4, REQUESTS = 3, WINDOWS = 1000 };

static struct limiter {
  uint64_t window; // the number of the current one
  int used;
} limit;

static uint64_t window_now(void) {
  return fm_now() / 1000000 / WINDOW;
}

static void refill(struct limiter *l) {
  uint64_t now = window_now();
  if (now != l->window) {
    l->window = now;
    l->used = 0;
  }
}

static uint64_t first;
static int seen[WINDOWS]; // requests in each window

static void take(struct limiter *l) {
  assert(l->window - first < WINDOWS);
  l->used++;
  seen[l->window - first]++;
}

#ifdef MENDED
static bool try_take(struct limiter *l) {
  refill(l);
  if (l->used >= RATE)
    return false;
  take(l);
  return true;
}
#endif

static uint64_t rest_of_window(void) {
  return WINDOW - fm_now() / 1000000 % WINDOW;
}

static async void admit(struct limiter *l) {
#ifdef MENDED
  while (!try_take(l))
    fm_sleep(rest_of_window());
#else
  refill(l);
  if (l->used >= RATE) {
    fm_sleep(rest_of_window());
    refill(l);
  }
  take(l);
#endif
}

static async void client(int number) {
  for (int i = 0; i < REQUESTS; i++) {
    admit(&limit);
    fm_sleep((uint64_t)number);
  }
}

async int main(void) {
  first = window_now();
  scope {
    for (int i = 0; i < CLIENTS; i++)
      spawn client(i);
  }
  int all = 0;
  for (int i = 0; i < WINDOWS; i++) {
    assert(seen[i] <= RATE);
    all += seen[i];
  }
  printf("%d requests\n", all);
  assert(all == CLIENTS * REQUESTS);
  return 0;
}
