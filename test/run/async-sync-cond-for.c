// fm_cond_wait_for: a signal in time, no signal, a signal in time whose mutex comes late; the mutex
// is held again in any case, also when it is cancelled.
// env: FERMATA_DRIVER=virtual FERMATA_TICK=off
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>

static fm_mutex m;
static fm_cond c;
static uint64_t start;

static unsigned now(void) {
  return (unsigned)((fm_now() - start) / 1000000);
}

static async void wait(uint64_t ms, const char *who) {
  fm_lock(&m);
  defer {
    printf("%s has it at %u\n", who, now());
    fm_unlock(&m);
  }
  bool in_time = fm_cond_wait_for(&c, &m, ms);
  printf("%s %s\n", who, in_time ? "in time" : "late");
}

static async void hold(uint64_t ms) {
  fm_lock(&m);
  fm_sleep(ms);
  fm_unlock(&m);
}

async int main(void) {
  start = fm_now();
  auto a = spawn now wait(100, "a");
  await a;
  // expect: a late
  // expect: a has it at 100
  a = spawn now wait(100, "b");
  fm_sleep(50);
  fm_cond_signal(&c);
  await a;
  // expect: b in time
  // expect: b has it at 150
  a = spawn now wait(100, "c");
  auto h = spawn now hold(300);
  fm_sleep(50);
  fm_cond_signal(&c);
  await a;
  // expect: c in time
  // expect: c has it at 450
  await h;
  a = spawn now wait(100, "d");
  h = spawn now hold(300);
  await a;
  // expect: d late
  // expect: d has it at 750
  await h;
  a = spawn now wait(1000, "e");
  h = spawn now hold(10);
  fm_sleep(5);
  fm_cancel(fm_id(a));
  fm_join(fm_id(a)); // expect: e has it at 760
  fm_detach(a);
  await h;
  a = spawn now wait(0, "f");
  await a;
  // expect: f late
  // expect: f has it at 760
  // A signal to one that is cancelled before it goes on is the next one's.
  a = spawn now wait(1000, "g");
  auto b = spawn now wait(1000, "h");
  h = spawn now hold(10);
  fm_cond_signal(&c);
  fm_cancel(fm_id(a));
  await b;
  // expect: g has it at 770
  // expect: h in time
  // expect: h has it at 770
  fm_join(fm_id(a));
  fm_detach(a);
  await h;
  fm_lock(&m);
  printf("%d\n", atomic fm_cond_wait_for(&c, &m, 30)); // expect: 0
  printf("%u\n", now());                               // expect: 800
  fm_cond_broadcast(&c);
  fm_unlock(&m);
  return 0;
}
