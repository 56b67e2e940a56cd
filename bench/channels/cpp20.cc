// Channels over C++20 coroutines: nanoseconds a message, as in language.c.
#include "channel.hpp"

static Task sender(Channel *c, int n) {
  for (int i = 0; i < n; i++) co_await c->send(1);
  co_return n;
}

static Task receiver(Channel *c, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += co_await c->recv();
  co_return sum;
}

static Task pair(size_t cap, int n) {
  Channel c(cap);
  Task s = spawn(sender(&c, n)), r = spawn(receiver(&c, n));
  int sum = co_await r;
  co_await s;
  co_return sum;
}

static Task there(Channel *to, Channel *from, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    co_await to->send(1);
    sum += co_await from->recv();
  }
  co_return sum;
}

static Task back(Channel *from, Channel *to, int n) {
  for (int i = 0; i < n; i++) co_await to->send(co_await from->recv());
  co_return n;
}

static Task pingpong(int n) {
  Channel a, b;
  Task y = spawn(back(&a, &b, n)), x = spawn(there(&a, &b, n));
  int sum = co_await x;
  co_await y;
  co_return sum;
}

enum { N = 100000, CHUNKS = 100, PAIRS = 100000 };

static Channel *chans;
static Task *tasks;

static Task pairs() {
  int sum = 0;
  for (int i = 0; i < PAIRS; i++) {
    new (&chans[i]) Channel(0);
    tasks[2 * i] = spawn(receiver(&chans[i], 1));
    tasks[2 * i + 1] = spawn(sender(&chans[i], 1));
  }
  for (int i = 0; i < PAIRS; i++) {
    sum += co_await tasks[2 * i];
    co_await tasks[2 * i + 1];
  }
  co_return sum;
}

template <class F> static void best(const char *name, double n, int want, F work) {
  double best = 1e30;
  for (int k = 0; k < chunks(CHUNKS); k++) {
    double t = now();
    if (run(work()) != want) abort();
    t = (now() - t) / n;
    if (t < best) best = t;
  }
  printf("%s %.2f\n", name, best);
}

int main() {
  chans = (Channel *)malloc(PAIRS * sizeof *chans);
  tasks = (Task *)malloc(2 * PAIRS * sizeof *tasks);
  best("pair0", N, N, [] { return pair(0, N); });
  best("pair1", N, N, [] { return pair(1, N); });
  best("pair128", N, N, [] { return pair(128, N); });
  best("pingpong", 2.0 * (double)N, N, [] { return pingpong(N); });
  best("pairs", PAIRS, PAIRS, [] { return pairs(); });
}
