// 10^5 pairs of coroutines that wait for one another, with a channel each: bytes a pair, as in room.c.
#include "../memory/resident.h"
#include "channel.hpp"

constexpr int N = 100000;
static long received;

static Task answer(Channel *c) {
  co_await c->send(co_await c->recv() + 1);
  co_return 0;
}

static Task ask(Channel *c, Channel *begin) {
  co_await begin->recv();
  co_await c->send(1);
  received += co_await c->recv();
  delete c;
  co_return 0;
}

static Task all() {
  Channel begin;
  double before = resident();
  for (int i = 0; i < N; i++) {
    Channel *c = new Channel;
    spawn(answer(c));
    spawn(ask(c, &begin));
  }
  co_await Yield();
  printf("bytes %.1f\n", (resident() - before) / N);
  for (int i = 0; i < N; i++) co_await begin.send(1);
  co_return 0;
}

int main() {
  run(all());
  if (received != 2L * N) abort();
}
