// A cache is asked, and filled if the value is not there: each value must be loaded once.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>

static int *slots[4];
static int values[4];
static int loads[4];
static fm_sem disk;

static async int *load(int key) {
  fm_sem_wait(&disk);
  loads[key]++;
  values[key] = key * key;
  fm_sem_post(&disk);
  return &values[key];
}

static async int get(int key) {
#ifdef MENDED
  static fm_mutex lock;
  fm_lock(&lock);
  defer fm_unlock(&lock);
#endif
  if (!slots[key])
    slots[key] = load(key);
  return *slots[key];
}

static async void reader(void) {
  for (int i = 0; i < 4; i++)
    assert(get(i) == i * i);
}

async int main(void) {
  fm_sem_init(&disk, 2);
  auto a = spawn reader();
  auto b = spawn reader();
  await a;
  await b;
  for (int i = 0; i < 4; i++)
    assert(loads[i] == 1);
  return 0;
}
