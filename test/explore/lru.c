// A cache of at most ROOM pages with a loader that waits. A page that was changed is written back
// before it is evicted.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 2, PAGES = 5 };

struct page {
  struct page *older, *newer;
  int number;
  int value;
  bool dirty;
};

static int disk[PAGES];
static struct page oldest_end,
    newest_end; // ends of the list, from the oldest to the newest
static int cached;

static async int read_disk(int number) {
  fm_sleep(3);
  return disk[number];
}

static async void write_disk(int number, int value) {
  fm_sleep(4);
  disk[number] = value;
}

static void unlink_page(struct page *p) {
  p->older->newer = p->newer;
  p->newer->older = p->older;
}

static void link_newest(struct page *p) {
  p->newer = &newest_end;
  p->older = newest_end.older;
  p->older->newer = p;
  newest_end.older = p;
}

static struct page *find(int number) {
  for (struct page *p = newest_end.older; p != &oldest_end; p = p->older)
    if (p->number == number)
      return p;
  return NULL;
}

static async void evict(void) {
  struct page *victim = oldest_end.newer;
  if (victim->dirty)
    write_disk(victim->number, victim->value);
  unlink_page(victim);
  cached--;
  free(victim);
}

static async struct page *get(int number) {
#ifdef MENDED
  static fm_mutex changing;
  fm_lock(&changing);
  defer fm_unlock(&changing);
#endif
  struct page *p = find(number);
  if (p) {
    unlink_page(p);
    link_newest(p);
    return p;
  }
  int value = read_disk(number);
  if ((p = find(number)))
    return p;
  while (cached >= ROOM)
    evict();
  if ((p = find(number))) // while something was written back
    return p;
  p = calloc(1, sizeof *p);
  *p = (struct page){ .number = number, .value = value };
  link_newest(p);
  cached++;
  return p;
}

static async void writer(int from) {
  for (int i = 0; i < PAGES; i++) {
    struct page *p = get((from + i) % PAGES);
    p->value++;
    p->dirty = true;
  }
}

async int main(void) {
  oldest_end.newer = &newest_end;
  newest_end.older = &oldest_end;
  auto a = spawn writer(0);
  auto b = spawn writer(2);
  await a;
  await b;
  while (cached > 0)
    evict();
  return 0;
}
