// A flag says that a backup runs; it is checked before a pause and set after it.
// reports: an update is lost: busy
#include <fermata.h>
#include <fermata/time.h>
#include <stdbool.h>
#include <stdio.h>

static bool busy;
static int running;
static int most;

static async void connect_store(void) {
  fm_sleep(1);
}

static async void copy_files(void) {
  running++;
  most = running > most ? running : most;
  fm_sleep(5);
  running--;
}

static async void backup(void) {
  if (busy)
    return;
#ifdef MENDED
  busy = true;
  connect_store();
#else
  connect_store();
  busy = true;
#endif
  copy_files();
  busy = false;
}

async int main(void) {
  auto a = spawn backup();
  auto b = spawn backup();
  await a;
  await b;
  printf("%d at once\n", most);
  return 0;
}
