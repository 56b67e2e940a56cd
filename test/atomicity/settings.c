// The name of a host is copied before a pause, its port after it; both are changed by functions of
// the C library and by assignments.
// reports: two values of different times are used together
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>
#include <string.h>

static struct settings {
  char host[16];
  int port;
} now = { "alpha", 1 };

static async void reload(void) {
  fm_sleep(1);
  strcpy(now.host, "beta");
  now.port = 2;
}

static async int resolve(const char *host) {
  fm_sleep(2);
  return host[0];
}

static async bool dial(void) {
  char host[16];
#ifdef MENDED
  struct settings mine = now;
  strcpy(host, mine.host);
  int address = resolve(host);
  int port = mine.port;
#else
  strcpy(host, now.host);
  int address = resolve(host);
  int port = now.port;
#endif
  return (address == 'a') == (port == 1);
}

async int main(void) {
  auto r = spawn reload();
  bool right = dial();
  await r;
  printf("%d\n", right);
  return 0;
}
