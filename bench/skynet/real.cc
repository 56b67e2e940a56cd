// Skynet in a function as people write it: real.c, in C++20.
#include "../cpp20.hpp"

constexpr uint32_t LEAVES = 1000000;
struct Refused {
  uint32_t number;
};

// Not static: no compiler can know that these seldom change.
int stopped, open_nodes, most = 1 << 30;

struct Open {
  Open() { open_nodes++; }
  ~Open() { open_nodes--; }
};

static uint32_t checked(uint32_t number) {
  if (number > LEAVES) throw Refused{ number };
  return number;
}

static Task node(uint32_t number, uint32_t size) {
  Task t[10];
  uint32_t sum = 0, part = size / 10;
  int tries = 0;
  bool refused = false;
  Open here;
  try {
    while (stopped) {
      if (++tries > 100) throw Refused{ number };
      co_await Yield();
      co_await Yield();
    }
    if (size == 1) co_return int(checked(number));
    if (open_nodes > most) {
      co_await Yield();
      sum = uint32_t(co_await spawn(node(number, 1)));
      co_await Yield();
    }
    for (uint32_t i = 0; i < 10; i++) t[i] = spawn(node(number + i * part, part));
    for (int i = 0; i < 10; i++) sum += uint32_t(co_await t[i]);
    if (tries > 0) {
      co_await Yield();
      sum += uint32_t(co_await spawn(node(number, 1)));
      co_await Yield();
      sum -= uint32_t(co_await spawn(node(number, 1)));
      co_await Yield();
    }
  } catch (const Refused &e) {
    sum = e.number;
    refused = true;
  }
  if (refused) co_await Yield();
  co_return int(sum);
}

int main() {
  double best = 0;
  for (int k = 0; k < chunks(5); k++) {
    double start = now();
    uint32_t got = uint32_t(run(node(0, LEAVES)));
    if (got != uint32_t(uint64_t(LEAVES) * (LEAVES - 1) / 2) || open_nodes != 0) abort();
    keep_best(&best, now() - start);
  }
  printf("skynet %.1f\n", best / 1e6);
}
