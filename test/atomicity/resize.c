// An array is walked with a pause for each element, and another activity makes it grow.
// reports: memory is used that was freed meanwhile
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>
#include <stdlib.h>

struct vector {
  size_t count, room;
  int *items;
};

static void push(struct vector *v, int item) {
  if (v->count == v->room) {
    v->room = v->room ? 2 * v->room : 4;
    v->items = realloc(v->items, v->room * sizeof *v->items);
  }
  v->items[v->count++] = item;
}

static async long sum(struct vector *v) {
  long s = 0;
#ifdef MENDED
  for (size_t i = 0; i < v->count; i++) {
    s += v->items[i];
    fm_sleep(1);
  }
#else
  for (int *p = v->items, *end = p + v->count; p < end; p++) {
    s += *p;
    fm_sleep(1);
  }
#endif
  return s;
}

static async void producer(struct vector *v) {
  for (int i = 0; i < 6; i++) {
    push(v, i);
    fm_sleep(1);
  }
}

async int main(void) {
  struct vector v = { 0 };
  for (int i = 0; i < 3; i++)
    push(&v, i);
  auto p = spawn producer(&v);
  auto s = spawn sum(&v);
  printf("%d\n", await s > 0);
  await p;
  free(v.items);
  return 0;
}
