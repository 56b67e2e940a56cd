// A table is made when it is first needed; two activities make it.
// reports: an update is lost
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <stdio.h>
#include <stdlib.h>

struct table {
  int size;
  int made_by;
};
static struct table *table;
static int made;
#ifdef MENDED
static fm_mutex lock;
#endif

static async struct table *load(int who) {
  fm_sleep(2);
  struct table *t = malloc(sizeof *t);
  *t = (struct table){ 16, who };
  made++;
  return t;
}

static async int table_size(int who) {
#ifdef MENDED
  fm_lock(&lock);
  if (!table)
    table = load(who);
  fm_unlock(&lock);
#else
  if (!table)
    table = load(who);
#endif
  return table->size;
}

async int main(void) {
#ifdef MENDED
  fm_mutex_init(&lock);
#endif
  auto a = spawn table_size(1);
  auto b = spawn table_size(2);
  int sum = await a + await b;
  printf("%d, made %d times\n", sum, made);
  free(table);
  return 0;
}
