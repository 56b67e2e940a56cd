// The index of a ring is read, the entry is written with a pause, and the index is stored.
// reports: an update is lost
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>
#include <string.h>

enum { SLOTS = 8, LINE = 16 };
static struct ring {
  unsigned head;
  char line[SLOTS][LINE];
} ring;

static async void format(char *to, int who, int n) {
  fm_sleep(1);
  snprintf(to, LINE, "%d: %d", who, n);
}

static async void note(struct ring *r, int who, int n) {
#ifdef MENDED
  unsigned at = r->head++;
  format(r->line[at % SLOTS], who, n);
#else
  unsigned at = r->head;
  format(r->line[at % SLOTS], who, n);
  r->head = at + 1;
#endif
}

static async void worker(int who) {
  for (int i = 0; i < 3; i++)
    note(&ring, who, i);
}

async int main(void) {
  auto a = spawn worker(1);
  auto b = spawn worker(2);
  await a;
  await b;
  printf("%u\n", ring.head);
  return 0;
}
