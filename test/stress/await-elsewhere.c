// Tasks of one domain are awaited by activities of several, at random: each has a handle of its own. Some of those are cancelled, by others,
// by races and by deadlines, some put their task into fm_all or fm_any. Who got no value has not used its handle up: so home awaits each task just
// as often as it was not awaited elsewhere, and what comes is right. Once more would be a mistake.
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <stdatomic.h>

enum { ROUNDS = 40, TASKS = 12, MOST = 4 };

struct failed { int code; };
typedef task(int) throws(struct failed) risky;

static _Atomic int taken[TASKS], wrong, values, errors, cancels;

static uint32_t mix(uint32_t x) {
  x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu;
  return x ^ x >> 16;
}

static async int works(uint32_t key) throws(struct failed) {
  uint32_t h = mix(key);
  if (h & 1) yield;
  if (h & 2) fm_sleep(h >> 4 & 1);
  if (h % 5 == 0) throw (struct failed){ (int)(key & 0xffff) };
  return (int)(key & 0xffff);
}

static async void take(risky t, int i, uint32_t key) {
  bool should_fail = mix(key) % 5 == 0;
  int got;
  try {
    got = await t;
    if (should_fail) wrong++;
    values++;
  } catch (struct failed f) {
    got = f.code;
    if (!should_fail) wrong++;
    errors++;
  }
  taken[i]++;
  if (got != (int)(key & 0xffff)) wrong++;
}

// In an array with one of its own: what fm_all or fm_any gives up is used up.
static async void take_several(risky t, int i, uint32_t key, bool any) {
  risky both[] = { t, spawn detached works(5) };  // that one does not fail, nor is it cancelled: that would cancel t for all
  bool should_fail = mix(key) % 5 == 0;
  try {
    if (any) {
      size_t k = fm_any(both, 2);
      if (k == 0) take(both[0], i, key);
      else taken[i]++;
      if (k == 1 && await both[1] != 5) wrong++;
    } else {
      fm_all(both, 2);
      if (should_fail) wrong++;
      take(both[0], i, key);
      if (await both[1] != 5) wrong++;
    }
  } catch (struct failed f) {
    if (!should_fail || f.code != (int)(key & 0xffff)) wrong++;
    taken[i]++;
  } catch (struct fm_cancelled e) {               // fm_any cancelled it, for someone else: not here
    wrong++;
  }
}

static async void taker(risky t, int i, uint32_t key, uint32_t how) {
  if (how & 1) yield;
  switch (how >> 2 & 7) {
  case 0:
    race {
    case take(t, i, key): break;
    case fm_sleep(how >> 8 & 1): break;
    }
    break;
  case 1: take_several(t, i, key, false); break;
  default: take(t, i, key);
  }
}

static async void round_of(fm_pool *pool, uint32_t seed) {
  risky t[TASKS];
  int handles[TASKS];
  for (int i = 0; i < TASKS; i++) {
    uint32_t key = mix(seed * 131 + (uint32_t)i);
    t[i] = spawn works(key);
    taken[i] = 0;
    handles[i] = 1 + (int)(mix(key) % MOST);
    for (int k = 1; k < handles[i]; k++) fm_share(t[i]);
  }
  scope (s) {
    for (int i = 0; i < TASKS; i++)
      for (int k = 0; k < handles[i]; k++) {
        uint32_t key = mix(seed * 131 + (uint32_t)i), how = mix(key + (uint32_t)k * 77);
        auto u = spawn on(pool) taker(t[i], i, key, how);
        if (how >> 5 & 1) fm_cancel_after(fm_id(u), how >> 6 & 1);
        if (how % 7 == 0) fm_cancel(fm_id(u));
      }
  } else
    wrong++;
  for (int i = 0; i < TASKS; i++)
    while (taken[i] < handles[i]) {
      cancels++;
      take(t[i], i, mix(seed * 131 + (uint32_t)i));
    }
}

// Alone: who wins fm_any cancels the other.
static async void any_of(fm_pool *pool, uint32_t seed) {
  risky t = spawn works(seed);
  taken[0] = 0;
  auto u = spawn on(pool) take_several(t, 0, seed, true);
  await u;
  if (taken[0] != 1) wrong++;
}

async int main(void) {
  fm_pool *pool = fm_pool_new(3);
  for (uint32_t i = 0; i < ROUNDS; i++) {
    round_of(pool, i);
    any_of(pool, mix(i) & 0xffff);
  }
  fm_pool_free(pool);
  printf("%d wrong\n", wrong);                    // expect: 0 wrong
  return !(values > ROUNDS * 4 && errors > ROUNDS && cancels > ROUNDS);
}
