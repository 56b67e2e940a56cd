// A flag says that a job is under way.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>
#include <stdbool.h>

static bool busy;
static int inside;
static fm_mutex settings;

static async bool allowed(void) {
  fm_lock(&settings);
  fm_unlock(&settings);
  return true;
}

static async void work(void) {
#ifdef MENDED
  bool may = allowed();
  if (busy || !may)
    return;
#else
  if (busy || !allowed())
    return;
#endif
  busy = true;
  assert(inside == 0);
  inside++;
  fm_lock(&settings);
  fm_unlock(&settings);
  inside--;
  busy = false;
}

async int main(void) {
  scope {
    for (int i = 0; i < 3; i++)
      spawn work();
  }
  return 0;
}
