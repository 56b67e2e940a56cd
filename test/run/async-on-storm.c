// At random, from a few seeds: trees of activities over several domains, that compute, fail, are cancelled by others, by deadlines
// and by scopes, while domains come and go. A model knows what each tree gives; each that has begun has ended; nothing is lost.
#include "parts/async.h"
#include <fermata/pool.h>
#include <fermata/time.h>
#include <stdatomic.h>

struct failed { uint32_t key; };

static fm_pool *pool;
static _Atomic int begun, ended;

static uint32_t mix(uint32_t x) {
  x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu;
  return x ^ x >> 16;
}

// What a tree gives: a sum, or the key of the first child that fails, in order.
static bool model(uint32_t key, int depth, uint32_t *sum) {
  uint32_t h = mix(key);
  *sum = h & 0xff;
  if (h % 29 == 0) { *sum = key; return false; }
  for (uint32_t i = 0; depth > 0 && i < h % 4; i++) {
    uint32_t part;
    if (!model(key * 5 + i + 1, depth - 1, &part)) { *sum = part; return false; }
    *sum += part;
  }
  return true;
}

static async uint32_t tree(uint32_t key, int depth) throws(struct failed) {
  uint32_t h = mix(key), sum = h & 0xff, n = depth > 0 ? h % 4 : 0;
  task(uint32_t) throws(struct failed) t[4];
  begun++;
  defer ended++;
  if (h & 0x100) yield;
  if (h & 0x200) fm_sleep(h >> 10 & 1);
  if (h % 29 == 0) throw (struct failed){ key };
  for (uint32_t i = 0; i < n; i++) {
    if (h >> i & 0x1000) t[i] = spawn on(pool) tree(key * 5 + i + 1, depth - 1);
    else t[i] = spawn tree(key * 5 + i + 1, depth - 1);
  }
  struct failed first = { 0 };
  for (uint32_t i = 0; i < n; i++)
    try {
      sum += await t[i];
    } catch (struct failed e) {
      if (!first.key) first = e;
    }
  if (first.key) throw first;
  return sum;
}

static async void endless(int depth, uint32_t key) { // until it is cancelled
  begun++;
  defer ended++;
  if (depth > 0) spawn on(pool) endless(depth - 1, mix(key));
  if (depth > 0) spawn endless(depth - 1, mix(key + 1));
  for (;;) {
    if (key & 1) fm_sleep(1 + key % 3);
    else yield;
    if (key & 2) shield yield;
  }
}

static async int compare(uint32_t key) {
  uint32_t want, got = 0;
  bool ok = model(key, 5, &want), fine = true;
  try {
    auto t = spawn on(pool) tree(key, 5);
    got = await t;
  } catch (struct failed e) {
    fine = false;
    got = e.key;
  }
  return ok == fine && want == got;
}

static async int cancelled(uint32_t key) {
  int all = 0, single = 0;                        // single: those that have a cancel of their own
  scope (s) {
    for (uint32_t i = 0; i < 4; i++) {
      auto t = spawn on(pool) endless(3, key + i);
      single += (mix(key + i) & 3) != 0;
      if (mix(key + i) & 1) fm_cancel(fm_id(t));
      else if (mix(key + i) & 2) fm_cancel_after(fm_id(t), 1);
      else if (mix(key + i) & 4) { fm_pause(fm_id(t)); yield; fm_resume(fm_id(t)); }
    }
    if (key & 8) fm_sleep(1);
    fm_cancel(s);
  } else
    all = 1;
  return all || single == 4;
}

static async int domain_ends(uint32_t key) {
  fm_domain *d = fm_domain_new(NULL);
  task(void) t[6];
  int n = 0;
  for (uint32_t i = 0; i < 6; i++) t[i] = spawn on(d) endless((int)(key + i) % 3, key * 7 + i);
  if (key & 1) fm_sleep(key % 3);
  fm_domain_free(d);
  for (int i = 0; i < 6; i++)
    try {
      await t[i];
    } catch (fm_error *e) {
      n++;
    }
  return n == 6;
}

async int main(void) {
  int good = 0, rounds = 12;
  for (int i = 0; i < rounds; i++) {
    pool = fm_pool_new(1 + i % 3);
    uint32_t key = mix((uint32_t)i) | 1;
    auto a = spawn compare(key), b = spawn compare(key * 3), c = spawn cancelled(key), d = spawn domain_ends(key);
    good += await a + await b + await c + await d;
    fm_pool_free(pool);
  }
  printf("%d of %d, %d left\n", good, 4 * rounds, begun - ended); // expect: 48 of 48, 0 left
}
