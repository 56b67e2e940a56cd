// Skynet: a coroutine starts ten, those ten each, down to 10^6 leaves; their numbers are added up on the way back, modulo
// 2^32. Milliseconds, the best of a few.
#include "../cpp20.hpp"

static Task skynet(uint32_t number, uint32_t size) {
  if (size == 1) co_return int(number);
  Task t[10];
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 10; i++) t[i] = spawn(skynet(number + i * (size / 10), size / 10));
  for (int i = 0; i < 10; i++) sum += uint32_t(co_await t[i]);
  co_return int(sum);
}

int main() {
  constexpr uint32_t leaves = 1000000;
  double best = 1e30;
  for (int k = 0; k < chunks(5); k++) {
    double start = now();
    if (uint32_t(run(skynet(0, leaves))) != uint32_t(uint64_t(leaves) * (leaves - 1) / 2)) abort();
    if (now() - start < best) best = now() - start;
  }
  printf("skynet %.1f\n", best / 1e6);
}
