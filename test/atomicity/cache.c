// Check, then act, on a cache of one entry: a value is returned whose key was replaced meanwhile.
// reports: two values of different times
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>

struct {
  int key;
  int value;
  unsigned hits;
} cache;

static async int compute(int key) {
  fm_sleep((uint64_t)(key % 4));
  return key * key;
}

static async void count_hit(void) {
  cache.hits++;
  fm_sleep(2);
}

static async int lookup(int key) {
  if (cache.key == key) {
#ifndef MENDED
    count_hit();
    return cache.value;
#else
    int value = cache.value;
    count_hit();
    return value;
#endif
  }
  int value = compute(key);
  if (cache.key != key) {
    cache.key = key;
    cache.value = value;
  }
  return value;
}

static async int client(int first) {
  int wrong = 0;
  for (int i = 0; i < 12; i++) {
    int key = first + i / 4;
    wrong += lookup(key) != key * key;
  }
  return wrong;
}

async int main(void) {
  auto a = spawn client(1);
  auto b = spawn client(7);
  printf("%d wrong\n", await a + await b);
  return 0;
}
