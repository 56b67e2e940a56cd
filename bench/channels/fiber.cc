// Channels of Boost.Fiber: nanoseconds a message, as in language.c. Its buffered channel of 128 holds 127.
#include "../clock.h"
#include <boost/fiber/all.hpp>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace fibers = boost::fibers;
using Unbuffered = fibers::unbuffered_channel<int>;
using Buffered = fibers::buffered_channel<int>;

enum { N = 20000, CHUNKS = 5, PAIRS = 20000 };

template <class C> static int pair(C &c) {
  fibers::fiber s([&c] { for (int i = 0; i < N; i++) c.push(1); });
  int sum = 0;
  for (int i = 0; i < N; i++) sum += c.value_pop();
  s.join();
  return sum;
}

static int pingpong() {
  Unbuffered a, b;
  fibers::fiber s([&] { for (int i = 0; i < N; i++) b.push(a.value_pop()); });
  int sum = 0;
  for (int i = 0; i < N; i++) {
    a.push(1);
    sum += b.value_pop();
  }
  s.join();
  return sum;
}

static int pairs() {
  int sum = 0;
  std::vector<Unbuffered> chans(PAIRS);
  std::vector<fibers::fiber> all;
  for (int i = 0; i < PAIRS; i++) {
    Unbuffered *c = &chans[i];
    all.emplace_back(fibers::launch::post, std::allocator_arg, fibers::pooled_fixedsize_stack(16384), [c, &sum] { sum += c->value_pop(); });
    all.emplace_back(fibers::launch::post, std::allocator_arg, fibers::pooled_fixedsize_stack(16384), [c] { c->push(1); });
    if (i % 100 == 99)                            // no more at a time: the kernel allows only so many mappings
      for (; !all.empty(); all.pop_back()) all.back().join();
  }
  for (auto &f : all) f.join();
  return sum;
}

template <class F> static void best(const char *name, double n, int want, F work) {
  double best = 1e30;
  for (int k = 0; k < chunks(CHUNKS); k++) {
    double t = now();
    if (work() != want) abort();
    t = (now() - t) / n;
    if (t < best) best = t;
  }
  printf("%s %.2f\n", name, best);
}

int main() {
  best("pair0", N, N, [] { Unbuffered c; return pair(c); });
  best("pair128", N, N, [] { Buffered c(128); return pair(c); });
  best("pingpong", 2.0 * N, N, pingpong);
  best("pairs", PAIRS, PAIRS, pairs);
}
