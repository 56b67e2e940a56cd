// A table grows while another activity walks it.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>
#include <stdlib.h>
#include <string.h>

static int *table;
static int *old; // as memory that was freed: it is wiped
static size_t count, room;
static fm_mutex out;

static void add(int v) {
  if (count == room) {
    int *larger = calloc(room * 2 + 2, sizeof *larger);
    if (count)
      memcpy(larger, table, count * sizeof *larger);
    if (old)
      free(old);
    if ((old = table))
      memset(old, -1, count * sizeof *old);
    table = larger;
    room = room * 2 + 2;
  }
  table[count++] = v;
}

static async void print(int v) {
  fm_lock(&out);
  assert(v >= 0);
  fm_unlock(&out);
}

static async void walk(void) {
#ifdef MENDED
  for (size_t i = 0; i < count; i++)
    print(table[i]);
#else
  for (int *p = table, *end = table + count; p < end; p++)
    print(*p);
#endif
}

static async void grow(void) {
  add(7);
  add(8);
}

async int main(void) {
  add(1);
  add(2);
  auto a = spawn walk();
  auto b = spawn grow();
  await a;
  await b;
  free(old);
  free(table);
  return 0;
}
