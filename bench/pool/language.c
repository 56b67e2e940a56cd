// Several domains: the best of several chunks. `one` is a domain beside main's, `two` are two of a
// pool.
//     trip        spawn on another domain, await its value: nanoseconds
//     many        10^4 at once, then all are awaited: nanoseconds for each
//     pingpong    a message to a mailbox of another domain and back: half of it, nanoseconds
//     stream      messages one after the other to a mailbox of another domain, which adds them up: nanoseconds a message
//     skynet1     10 trees of 10^5 leaves, spawned on one domain: milliseconds
//     skynet2     the same on two: half of that, where two processors are free
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/pool.h>

#include "../clock.h"
#include <stdlib.h>
#include <string.h>

enum { TRIPS = 5000, MANY = 10000, MESSAGES = 5000, STREAM = 200000, CHUNKS = 7 };

typedef fm_mailbox(int) int_box;
static int_box ping, pong;
static task(int) tasks[MANY];

static async int same(int v) { return v; }

static async void trips(fm_domain *d) {
  for (int i = 0; i < TRIPS; i++) {
    auto t = spawn on(d) same(i);
    if (await t != i) abort();
  }
}

static async void many(fm_domain *d) {
  int sum = 0;
  for (int i = 0; i < MANY; i++) tasks[i] = spawn on(d) same(1);
  for (int i = 0; i < MANY; i++) sum += await tasks[i];
  if (sum != MANY) abort();
}

static async void echoes(int n) {
  fm_mailbox_init(&ping);
  fm_post(&pong, 0);                              // it is ready
  for (int i = 0; i < n; i++) fm_post(&pong, fm_receive(&ping));
  fm_mailbox_free(&ping);
}

static async void pingpong(fm_domain *d) {
  fm_mailbox_init(&pong);
  auto t = spawn on(d) echoes(MESSAGES);
  fm_receive(&pong);
  for (int i = 0; i < MESSAGES; i++) {
    fm_post(&ping, i);
    if (fm_receive(&pong) != i) abort();
  }
  await t;
  fm_mailbox_free(&pong);
}

static async long adds(int n) {
  long sum = 0;
  fm_mailbox_init(&ping);
  fm_post(&pong, 0);
  for (int i = 0; i < n; i++) sum += fm_receive(&ping);
  fm_mailbox_free(&ping);
  return sum;
}

static async void stream(fm_domain *d) {
  fm_mailbox_init(&pong);
  auto t = spawn on(d) adds(STREAM);
  fm_receive(&pong);
  for (int i = 0; i < STREAM; i++) fm_post(&ping, 1);
  if (await t != STREAM) abort();
  fm_mailbox_free(&pong);
}

static async uint32_t skynet(uint32_t number, uint32_t size) {
  task(uint32_t) t[10];
  uint32_t sum = 0;
  if (size == 1) return number;
  for (uint32_t i = 0; i < 10; i++) t[i] = spawn skynet(number + i * (size / 10), size / 10);
  for (int i = 0; i < 10; i++) sum += await t[i];
  return sum;
}

static async void trees(fm_pool *p) {
  enum { LEAVES = 1000000 };
  task(uint32_t) t[10];
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 10; i++) t[i] = spawn on(p) skynet(i * (LEAVES / 10), LEAVES / 10);
  for (int i = 0; i < 10; i++) sum += await t[i];
  if (sum != (uint32_t)((uint64_t)LEAVES * (LEAVES - 1) / 2)) abort();
}

#define MEASURE(name, call, per)          \
  do {                                    \
    double best = 0;                      \
    for (int k = 0; k < chunks(CHUNKS); k++) {    \
      double start = now();               \
      call;                               \
      keep_best(&best, now() - start);    \
    }                                     \
    printf("%s %.2f\n", name, best / (per)); \
  } while (0)

async int main(int argc, char **argv) {
  fm_pool *one = fm_pool_new(1), *two = fm_pool_new(2);
  fm_domain *d = fm_pool_domain(one, 0);
  const char *only = argc > 1 ? argv[1] : NULL;
#define WANTED(name) (!only || strcmp(only, name) == 0)
  if (WANTED("trip")) MEASURE("trip", trips(d), TRIPS);
  if (WANTED("many")) MEASURE("many", many(d), MANY);
  if (WANTED("pingpong")) MEASURE("pingpong", pingpong(d), 2.0 * MESSAGES);
  if (WANTED("stream")) MEASURE("stream", stream(d), STREAM);
  if (WANTED("skynet1")) MEASURE("skynet1", trees(one), 1e6);
  if (WANTED("skynet2")) MEASURE("skynet2", trees(two), 1e6);
  fm_pool_free(one);
  fm_pool_free(two);
}
