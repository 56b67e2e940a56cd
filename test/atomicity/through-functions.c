// Read, modify, write, each in a function of its own.
// reports: an update is lost
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>

struct {
  int port;
  int limit;
} config = { 80, 10 };

static int limit_now(void) {
  return config.limit;
}

static void set_limit(int n) {
  config.limit = n;
}

static async int ask_policy(int n) {
  fm_sleep(1);
  return n + 5;
}

static async void raise_limit(void) {
#ifdef MENDED
  int more = ask_policy(0);
  set_limit(limit_now() + more);
#else
  int n = limit_now();
  n = ask_policy(n);
  set_limit(n);
#endif
}

async int main(void) {
  auto a = spawn raise_limit();
  auto b = spawn raise_limit();
  await a;
  await b;
  printf("%d\n", config.limit);
  return 0;
}
