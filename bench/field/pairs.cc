// pairs.cc: pairs in 25 rounds, as pairs.c, in C++20. Without an argument all readers are awaited,
// then all senders, which have to be awaited by somebody to be freed.
#include "../channels/channel.hpp"
#include <algorithm>

enum { PAIRS = 100000, ROUNDS = 25, LATE = 10 };

static Channel *chans;
static Task readers[PAIRS], senders[PAIRS];

static Task sender(Channel *c) {
  co_await c->send(1);
  co_return 1;
}

static Task reader(Channel *c) {
  co_return co_await c->recv();
}

static Task pairs(bool in_order) {
  int sum = 0;
  for (int i = 0; i < PAIRS; i++) {
    new (&chans[i]) Channel(0);
    readers[i] = spawn(reader(&chans[i]));
    senders[i] = spawn(sender(&chans[i]));
  }
  for (int i = 0; i < PAIRS; i++) {
    sum += co_await readers[i];
    if (in_order) co_await senders[i];
  }
  for (int i = 0; i < PAIRS && !in_order; i++) co_await senders[i];
  co_return sum;
}

int main(int argc, char **) {
  double time[ROUNDS + 1];
  chans = (Channel *)malloc(PAIRS * sizeof *chans);
  for (int i = 1; i <= ROUNDS; i++) {
    double start = cpu_now();
    if (run(pairs(argc > 1)) != PAIRS) abort();
    time[i] = (cpu_now() - start) / double(PAIRS);
  }
  printf("round1 %.1f\nround2 %.1f\n", time[1], time[2]);
  printf("round10 %.1f\nround25 %.1f\n", time[10], time[25]);
  std::sort(time + LATE, time + ROUNDS + 1);
  printf("late %.1f\n", time[(LATE + ROUNDS) / 2]);
}
