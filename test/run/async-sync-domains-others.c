// Semaphores, events and wait groups between domains; what was made where there was no domain is the first user's.
// flags: -pthread
#include "parts/async.h"
#include <fermata/pool.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <stdatomic.h>

typedef fm_event(int) int_event;
typedef fm_chan(int) int_chan;

static fm_sem permits;                            // zeroed: of the first to use it
static fm_wait_group group, ended;
static int_event event;
static int_chan early;
static _Atomic int inside, most, heard;

static async void use(int n) {
  for (int i = 0; i < n; i++) {
    fm_sem_wait(&permits);
    int now = ++inside;
    if (now > most) most = now;
    yield;
    inside--;
    fm_sem_post(&permits);
  }
}

static async void listen(void) {
  fm_wait_group_done(&group);
  heard += fm_next(&event);
  fm_wait_group_done(&ended);
}

static async void wait_there(void) { fm_wait_group_wait(&group); }
static async void emit_there(int v) { fm_emit(&event, v); }
static async int receive_there(void) throws(struct fm_closed) { return fm_recv(&early); }
static async bool try_there(void) { return fm_sem_try_wait(&permits); }

static async void all(void) {
  fm_pool *p = fm_pool_new(2);
  auto got = spawn on(p) receive_there();         // the first to use it
  try {
    fm_send(&early, 7);
    printf("%d\n", await got); // expect: 7
  } catch (struct fm_closed e) {
    (void)e;
  }

  fm_sem_post(&permits);
  fm_sem_post(&permits);
  auto a = spawn on(p) use(100);
  auto b = spawn on(p) use(100);
  auto c = spawn use(100);
  await a;
  await b;
  await c;
  fm_sleep(1);
  printf("%d %d\n", most <= 2, (int)fm_sem_value(&permits)); // expect: 1 2
  auto tried = spawn on(p) try_there();
  printf("%d\n", await tried); // expect: 0

  fm_event_init(&event);
  fm_wait_group_add(&group, 3);
  fm_wait_group_add(&ended, 3);
  spawn on(p) listen();
  spawn on(p) listen();
  spawn listen();
  auto w = spawn on(p) wait_there();
  fm_wait_group_wait(&group);
  await w;
  for (int v = 1; ended.fm__n; v = 0) {           // they may have said so before they listen: 0 is for those
    auto e = spawn on(p) emit_there(v);
    await e;
    fm_sleep(1);
  }
  printf("%d\n", heard > 0 && heard <= 3); // expect: 1
  fm_pool_free(p);
}

int main(void) {
  fm_chan_init(&early, 4);                        // there is no domain yet
  run all();
  return 0;
}
