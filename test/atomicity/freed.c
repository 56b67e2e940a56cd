// A setting is read twice with a pause between; meanwhile another activity replaces it.
// reports: memory is used that was freed meanwhile
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>
#include <stdlib.h>

static int *limit;

static int *new_limit(int n) {
  int *p = malloc(sizeof *p);
  *p = n;
  return p;
}

static async int use(void) {
  int *mine = limit;
  int sum = *mine;
  fm_sleep(2);
#ifdef MENDED
  mine = limit;
#endif
  sum += *mine;
  return sum;
}

static async void reload(void) {
  fm_sleep(1);
  int *old = limit;
  limit = new_limit(4);
  free(old);
}

async int main(void) {
  limit = new_limit(3);
  auto u = spawn use();
  auto r = spawn reload();
  int sum = await u;
  await r;
  printf("%d\n", sum > 0);
  free(limit);
  return 0;
}
