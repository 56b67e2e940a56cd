// Timers over C++20 coroutines, in virtual time: language.c, with a binary heap. A sleep there
// cannot be cancelled.
#include "../cpp20.hpp"
#include <algorithm>
#include <vector>

struct Timer {
  uint64_t at, order;
  Promise *who;
  bool operator<(const Timer &o) const { return at != o.at ? at > o.at : order > o.order; }
};
static std::vector<Timer> heap;
static uint64_t clock_ms, count;

struct Sleep {
  unsigned ms;
  bool await_ready() { return false; }
  void await_suspend(Handle h) {
    heap.push_back({ clock_ms + ms, count++, &h.promise() });
    std::push_heap(heap.begin(), heap.end());
  }
  void await_resume() {}
};

// Runs what is ready, then sets the clock to the next timer.
static int run_timed(Task t) {
  queue.push(t.p);
  for (;;) {
    while (Promise *p = queue.pop()) p->handle().resume();
    if (heap.empty()) break;
    clock_ms = heap.front().at;
    do {
      std::pop_heap(heap.begin(), heap.end());
      queue.push(heap.back().who);
      heap.pop_back();
    } while (!heap.empty() && heap.front().at == clock_ms);
  }
  int v = t.p->value;
  t.p->handle().destroy();
  return v;
}

constexpr int ONE = 100000, MANY = 1000000, CHUNKS = 20, FEW_CHUNKS = 3;
static int woken;
static Task tasks[MANY];

static Task sleeper(unsigned ms) {
  co_await Sleep{ ms };
  woken++;
  co_return 0;
}

static Task one(int n) {
  for (int i = 0; i < n; i++) co_await Sleep{ 1 };
  co_return 0;
}

template <class F> static Task crowd(int n, F sleeps) {
  unsigned x = 1;
  for (int i = 0; i < n; i++) {
    x = x * 1664525u + 1013904223u;
    tasks[i] = spawn(sleeps(1 + (x >> 8) % 100000));
  }
  for (int i = 0; i < n; i++) co_await tasks[i];
  co_return 0;
}

static Task many(int n) { return crowd(n, sleeper); }

static Task bouncer(int n) {
  for (int i = 0; i < n; i++) co_await Yield();
  co_return 0;
}

static Task busy(int n) {
  Task timer = spawn(sleeper(1)), a = spawn(bouncer(n)), b = spawn(bouncer(n));
  co_await a;
  co_await b;
  co_await timer;
  woken--;
  co_return 0;
}

// ---- the same in functions as people write them: thirty lines, a dozen pauses ----
struct Refused {
  int at;
};
int stopped, busy_ones, most = 1 << 30; // not static: no compiler can know that these seldom change

struct Busy {
  Busy() { busy_ones++; }
  ~Busy() { busy_ones--; }
};

static int checked(int i) {
  if (i < 0) throw Refused{ i };
  return i;
}

// Asks n times, `ms` apart; waits longer after a failure.
static Task poller(int n, unsigned ms) {
  int done = 0, tries = 0;
  bool refused = false;
  Busy here;
  try {
    if (stopped) {
      co_await Yield();
      co_await Sleep{ ms };
    }
    for (int i = 0; i < n; i++) {
      co_await Sleep{ ms };
      done += checked(1);
      while (stopped) {
        if (++tries > 100) throw Refused{ i };
        co_await Sleep{ ms << tries };
        co_await Yield();
      }
      if (done > most) {
        co_await Yield();
        co_await Sleep{ 1 };
        done = 0;
        co_await Yield();
      }
    }
    if (tries > 0) {
      co_await Yield();
      co_await Sleep{ 1 };
      co_await Yield();
    }
  } catch (const Refused &e) {
    done = e.at;
    refused = true;
  }
  if (refused) co_await Sleep{ 1 };
  woken += done == n;
  co_return 0;
}

static Task real_one(int n) { return poller(n, 1); }

static Task ask_once(unsigned ms) { return poller(1, ms); }

static Task real_many(int n) { return crowd(n, ask_once); }

static void measure(const char *name, Task (*f)(int), int n, int each, int times) {
  double best = 0;
  for (int k = 0; k < times; k++) {
    double start = now();
    run_timed(f(n));
    keep_best(&best, (now() - start) / each);
  }
  printf("%s %.2f\n", name, best);
}

int main() {
  measure("one", one, ONE, ONE, chunks(CHUNKS));
  measure("many", many, MANY, MANY, chunks(FEW_CHUNKS));
  measure("busy", busy, ONE, 2 * ONE, chunks(CHUNKS));
  measure("real_one", real_one, ONE, ONE, chunks(CHUNKS));
  measure("real_many", real_many, MANY, MANY, chunks(FEW_CHUNKS));
  if (woken != 2 * MANY * chunks(FEW_CHUNKS) + chunks(CHUNKS) || busy_ones != 0) abort();
}
