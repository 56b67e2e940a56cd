// A counted object: the last user frees it, after it has written what is in it.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>

struct buffer {
  int users;
  int freed;
};
static fm_sem disk;

static async void flush(struct buffer *b) {
  fm_sem_wait(&disk);
  assert(!b->freed);
  fm_sem_post(&disk);
}

static async void release(struct buffer *b) {
#ifdef MENDED
  flush(b);
  if (--b->users == 0)
    b->freed++;
#else
  if (b->users == 1) {
    flush(b);
    b->freed++;
  }
  b->users--;
#endif
}

static async void use(struct buffer *b) {
  flush(b);
  release(b);
}

static async void join(struct buffer *b) {
  if (b->users == 0) // it is gone
    return;
  b->users++;
  use(b);
}

async int main(void) {
  struct buffer b = { 1, 0 };
  fm_sem_init(&disk, 1);
  scope {
    spawn use(&b);
    spawn join(&b);
  }
  assert(b.users == 0 && b.freed == 1);
  return 0;
}
