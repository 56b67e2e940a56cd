// A tail call of something that only waits, from the first function of an activity: there is no frame below to take its place.
#include <fermata.h>
#include <fermata/time.h>
static async void nap(int ms) { yield; return fm_sleep(ms); }
static async void nap_at_once(int ms) { return fm_sleep(ms); }
static async void long_one(int n) {
  if (n == 1) { yield; } if (n == 2) { yield; } if (n == 3) { yield; } if (n == 4) { yield; } if (n == 5) { yield; }
  if (n == 6) { yield; } if (n == 7) { yield; } if (n == 8) { yield; } if (n == 9) { yield; } if (n == 10) { yield; }
  return fm_sleep(2);
}
static async int later(int x) { fm_sleep(1); return x; }
static async int value(int x) { yield; return later(x); }
async int main(void) {
  auto a = spawn nap(5);
  await a;
  auto b = spawn nap_at_once(5);
  await b;
  for (int i = 0; i < 12; i++) {
    auto c = spawn long_one(i);
    await c;
    long_one(i);
  }
  nap(3);
  nap_at_once(2);
  auto d = spawn value(7);
  printf("%d %d\n", await d, value(8));           // expect: 7 8
  return 0;
}
