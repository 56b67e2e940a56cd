// Boost.Fiber: two fibers that yield to each other: nanoseconds for one switch.
#include "../clock.h"
#include <boost/fiber/all.hpp>
#include <cstdio>
#include <cstdlib>

namespace fibers = boost::fibers;
constexpr int n = 100000;
static int sum;

static void bouncer() {
  for (int i = 0; i < n; i++) boost::this_fiber::yield();
  sum += n;
}

int main() {
  double best = 0;
  for (int k = 0; k < chunks(20); k++) {
    double start = now();
    sum = 0;
    fibers::fiber a(bouncer), b(bouncer);
    a.join();
    b.join();
    if (sum != 2 * n) abort();
    keep_best(&best, (now() - start) / 2 / n);
  }
  printf("switch %.2f\n", best);
}
