// A pool is made when it is first needed.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>
#include <stdlib.h>

static int *pool;
static int made;
static fm_sem memory;

static async int *make(void) {
  fm_sem_wait(&memory);
  made++;
  fm_sem_post(&memory);
  static int it;
  return &it;
}

static async int *get_pool(void) {
#ifdef MENDED
  atomic
#endif
  if (!pool)
    pool = make();
  return pool;
}

static async void user(void) {
  *get_pool() = 1;
}

async int main(void) {
  fm_sem_init(&memory, 1);
  scope {
    for (int i = 0; i < 3; i++)
      spawn user();
  }
  assert(made == 1);
  return 0;
}
