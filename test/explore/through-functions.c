// A counter behind two functions, each of which is right.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>

static int stored;
static fm_sem store;

static async int get(void) {
  fm_sem_wait(&store);
  int v = stored;
  fm_sem_post(&store);
  return v;
}

static async void set(int v) {
  fm_sem_wait(&store);
  stored = v;
  fm_sem_post(&store);
}

static async void count(void) {
#ifdef MENDED
  atomic set(get() + 1);
#else
  set(get() + 1);
#endif
}

async int main(void) {
  fm_sem_init(&store, 1);
  scope {
    for (int i = 0; i < 3; i++)
      spawn count();
  }
  assert(stored == 3);
  return 0;
}
