// A ring of requests: the index is read before a pause, and advanced after it.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>

enum { SIZE = 8 };
static int ring[SIZE];
static unsigned head;
static fm_mutex lock;

static async int next_number(void) {
  static int n;
  fm_lock(&lock);
  int mine = ++n;
  fm_unlock(&lock);
  return mine;
}

static async void put(void) {
#ifdef MENDED
  int n = next_number();
  ring[head++ % SIZE] = n;
#else
  unsigned at = head;
  ring[at % SIZE] = next_number();
  head = at + 1;
#endif
}

static async void producer(void) {
  put();
  put();
}

async int main(void) {
  scope {
    spawn producer();
    spawn producer();
  }
  int sum = 0;
  for (unsigned i = 0; i < head; i++)
    sum += ring[i];
  assert(head == 4 && sum == 1 + 2 + 3 + 4);
  return 0;
}
