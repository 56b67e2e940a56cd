// Boost.Fiber: one at a time, and 1000 started (each has a stack), then joined; nanoseconds for one.
#include "../clock.h"
#include <boost/fiber/all.hpp>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace fibers = boost::fibers;
static int sum;

static double in_turn(int n) {
  double start = now();
  sum = 0;
  for (int i = 0; i < n; i++) fibers::fiber([] { sum++; }).join();
  if (sum != n) abort();
  return (now() - start) / n;
}

static double many(int n) {
  std::vector<fibers::fiber> all;
  all.reserve(size_t(n));
  double start = now();
  sum = 0;
  for (int i = 0; i < n; i++) all.emplace_back([] { sum++; });
  for (auto &f : all) f.join();
  if (sum != n) abort();
  return (now() - start) / n;
}

int main() {
  double turn = 0, all = 0;
  for (int k = 0; k < chunks(20); k++) {
    keep_best(&turn, in_turn(10000));
    keep_best(&all, many(1000));
  }
  printf("spawn %.2f\nmany %.2f\n", turn, all);
}
