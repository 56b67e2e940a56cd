// Pairs of Boost.Fiber's fibers that wait for one another, with a channel each: bytes a pair, as in room.c, but of 10^4 pairs: each
// fiber touches pages of its own. Stacks of 16 KB come from malloc; what is not touched of them does not count.
#include "../memory/resident.h"
#include <boost/fiber/all.hpp>
#include <vector>

namespace fibers = boost::fibers;
using Chan = fibers::unbuffered_channel<int>;

constexpr int N = 10000;
static long received;

static void answer(Chan *c) {
  int v = c->value_pop();
  c->push(v + 1);
}

static void ask(Chan *c, Chan *begin) {
  begin->value_pop();
  c->push(1);
  received += c->value_pop();
  delete c;
}

template <class... A> static void start(A... args) {
  fibers::fiber(fibers::launch::post, std::allocator_arg, fibers::fixedsize_stack(16384), args...).detach();
}

int main() {
  Chan begin;
  boost::this_fiber::yield();                     // the scheduler is there before we count
  double before = resident();
  for (int i = 0; i < N; i++) {
    Chan *c = new Chan;
    start(answer, c);
    start(ask, c, &begin);
  }
  boost::this_fiber::yield();
  printf("bytes %.1f\n", (resident() - before) / N);
  for (int i = 0; i < N; i++) begin.push(1);
  while (received < 2L * N) boost::this_fiber::yield();
}
