// Two coroutines that yield to each other: nanoseconds for one switch, the best of many chunks.
#include "../cpp20.hpp"

static Task bouncer(int n) {
  for (int i = 0; i < n; i++) co_await Yield();
  co_return n;
}

static Task chunk(int n) {
  Task a = spawn(bouncer(n)), b = spawn(bouncer(n));
  int v = co_await a;
  co_return v + co_await b;
}

int main() {
  enum { N = 2000 };
  double best = 1e30;
  for (int k = 0; k < chunks(20000); k++) {
    double t = now();
    if (run(chunk(N)) != 2 * N) abort();
    t = (now() - t) / (2 * (double)N);
    if (t < best) best = t;
  }
  printf("switch %.2f\n", best);
}
