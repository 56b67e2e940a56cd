// A consumer sleeps while there is nothing to do, and a producer wakes it: a flag says whether it
// sleeps.
// schedules: 400
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>

enum { ITEMS = 4 };

static struct {
  int items[ITEMS];
  int first, last;
  bool asleep;
  fm_sem wake;
} box;

static int eaten;
static fm_mutex journal;
static int notes;

static async void note(void) {
  fm_lock(&journal);
  notes++;
  fm_unlock(&journal);
}

static async void put(int v) {
  box.items[box.last++] = v;
  note();
  if (box.asleep) {
    box.asleep = false;
    fm_sem_post(&box.wake);
  }
}

static async int get(void) {
  while (box.first == box.last) {
#ifdef MENDED
    box.asleep = true;
#else
    note();
    box.asleep = true;
#endif
    fm_sem_wait(&box.wake);
  }
  return box.items[box.first++];
}

static async void producer(void) {
  for (int i = 1; i <= ITEMS; i++) {
    put(i);
    fm_sleep(1);
  }
}

static async void consumer(void) {
  for (int i = 1; i <= ITEMS; i++) {
    int v = get();
    assert(v == i);
    eaten++;
    note();
  }
}

async int main(void) {
  auto c = spawn consumer();
  auto p = spawn producer();
  await p;
  await c;
  assert(eaten == ITEMS);
  return 0;
}
