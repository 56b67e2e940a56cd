// A count of references is read, the object is saved, which pauses, and the new count is stored.
// reports: an update is lost
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>
#include <stdlib.h>

struct document {
  int refs;
  char text[40];
};

static async void save(const struct document *d) {
  fm_sleep(1 + (d->text[0] == 'x'));
}

static struct document *take(struct document *d) {
  d->refs++;
  return d;
}

static async void release(struct document *d) {
#ifdef MENDED
  save(d);
  if (--d->refs == 0)
    free(d);
#else
  int left = d->refs - 1;
  save(d);
  d->refs = left;
  if (!left)
    free(d);
#endif
}

static async void reader(struct document *d) {
  fm_sleep(1);
  release(d);
}

async int main(void) {
  struct document *d = calloc(1, sizeof *d);
  take(d);
  auto a = spawn reader(take(d));
  auto b = spawn reader(take(d));
  await a;
  await b;
  printf("%d\n", d->refs);
  release(d);
  return 0;
}
