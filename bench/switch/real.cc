// Two coroutines that yield to each other in a function as people write it: real.c, in C++20.
#include "../channels/channel.hpp"

enum { N = 100000, CHUNKS = 300, MORE = 1 << 15 };

struct Broken {
  int part;
};

// Not static: no compiler can know that these seldom change.
Channel orders, parts;
int stopped, running, limit = N + 1;

struct Running {
  Running() { running++; }
  ~Running() { running--; }
};

static int checked(int part) {
  if (part < 0) throw Broken{ part };
  return part;
}

static Task worker(int id, int n) {
  int done = 0, store = 0, tries = 0;
  Running here;
  try {
    co_await Yield();
    co_await orders.send(MORE);
    store = checked(co_await parts.recv());
    for (int i = 0; i < n; i++) {
      co_await Yield();
      if (store-- == 0) {
        co_await orders.send(MORE);
        store = checked(co_await parts.recv()) - 1;
      }
      while (stopped) {
        if (++tries > 100) throw Broken{ id };
        co_await Yield();
        co_await Yield();
      }
      if (i > limit) {
        co_await orders.send(i);
        limit += co_await parts.recv();
        co_await Yield();
      }
      done++;
    }
    co_await Yield();
    co_await orders.send(0);
  } catch (const Broken &e) {
    done = e.part;
  }
  co_return done;
}

static Task store(int workers) {
  while (workers > 0) {
    int n = co_await orders.recv();
    if (n > 0)
      co_await parts.send(n);
    else
      workers--;
  }
  co_return 0;
}

static Task chunk(int n) {
  Task s = spawn(store(2)), a = spawn(worker(1, n)), b = spawn(worker(2, n));
  int done = co_await a;
  done += co_await b;
  co_await s;
  co_return done;
}

int main() {
  double best = 0;
  for (int k = 0; k < chunks(CHUNKS); k++) {
    double start = now();
    if (run(chunk(N)) != 2 * N || running != 0) abort();
    keep_best(&best, (now() - start) / 2 / double(N));
  }
  printf("switch %.2f\n", best);
}
