// Domains and threads come and go while others spawn on them, and cancel, pause and join what they know of there, from memory that may
// long be stale: a domain that has been freed, a thread that has ended, an activity of either. Each spawn gives its value or is cancelled,
// and what has begun has ended.
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <pthread.h>
#include <stdatomic.h>

enum { DOMAINS = 6, KNOWN = 32, THREADS = 3, GENERATIONS = 6, STEPS = 60 };

static fm_domain *_Atomic domains[DOMAINS];       // some of them have ended
static fm_activity known[KNOWN];                  // likewise
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int begun, ended, asked, given, cancelled, wrong;

static uint32_t draw(uint32_t *x) {
  *x ^= *x << 13; *x ^= *x >> 17; *x ^= *x << 5;
  return *x >> 3;
}

static void tell(uint32_t at, fm_activity a) {
  pthread_mutex_lock(&lock);
  known[at % KNOWN] = a;
  pthread_mutex_unlock(&lock);
}

static fm_activity recall(uint32_t at) {
  pthread_mutex_lock(&lock);
  fm_activity a = known[at % KNOWN];
  pthread_mutex_unlock(&lock);
  return a;
}

static async int guest(uint32_t x) {
  begun++;
  defer ended++;
  tell(x, fm_self());
  if (x & 1) yield;
  if (x & 2) fm_sleep(x >> 2 & 1);
  if (x % 61 == 0) fm_sleep(100000);              // until someone cancels it
  return (int)(x & 0xfff);
}

static async void ask(fm_domain *d, uint32_t x) {
  asked++;
  try {
    auto t = spawn on(d) guest(x);
    if (x % 61 == 0) fm_cancel_after(fm_id(t), 3);
    if (x % 7 == 0) fm_cancel(fm_id(t));
    if (await t != (int)(x & 0xfff)) wrong++;
    given++;
  } catch (struct fm_cancelled e) {
    cancelled++;
  }
}

static void meddle(uint32_t x) {
  fm_activity a = recall(x);
  switch (x >> 8 & 3) {
  case 0: fm_cancel(a); break;
  case 1: fm_pause(a); fm_resume(a); break;
  default: (void)(fm_alive(a) + fm_cancelled(a));
  }
}

static async void joins(fm_activity a) { fm_join(a); }

static async void work(uint32_t x, int steps) {
  for (int i = 0; i < steps; i++) {
    fm_domain *d = domains[draw(&x) % DOMAINS];
    if (d) ask(d, draw(&x));
    meddle(draw(&x));
    if (draw(&x) % 4 == 0) {
      auto t = spawn joins(recall(draw(&x)));
      fm_cancel_after(fm_id(t), 2);               // it may sleep for long
      fm_join(fm_id(t));
    }
    if (d) spawn detached on(d) guest(draw(&x));
  }
}

// A thread whose domain others know, and use when it has ended.
static void *thread(void *arg) {
  uint32_t x = (uint32_t)(uintptr_t)arg;
  domains[DOMAINS - 1 - x % 2] = fm_domain_here();
  run work(x * 2654435761u + 1, STEPS);
  meddle(x);
  return NULL;
}

static async void make_domains(uint32_t x, int rounds) {
  fm_domain *mine[DOMAINS - 2] = { NULL };
  for (int i = 0; i < rounds; i++) {
    uint32_t at = draw(&x) % (DOMAINS - 2);
    if (mine[at]) fm_domain_free(mine[at]);
    mine[at] = NULL;
    if (draw(&x) % 4) domains[at] = mine[at] = fm_domain_new(NULL);
    fm_sleep(draw(&x) % 2);
  }
  for (int i = 0; i < DOMAINS - 2; i++)
    if (mine[i]) fm_domain_free(mine[i]);
}

async int main(void) {
  pthread_t threads[THREADS];
  for (uintptr_t g = 0; g < GENERATIONS; g++) {
    auto m = spawn make_domains((uint32_t)g * 77 + 5, 40);
    for (uintptr_t i = 0; i < THREADS; i++)
      if (pthread_create(&threads[i], NULL, thread, (void *)(g * THREADS + i + 1))) return 1;
    await m;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  }
  printf("%d wrong, %d lost\n", wrong, asked - given - cancelled);
  printf("%d left\n", begun - ended);             // expect: 0 wrong, 0 lost
  return !(given > 100 && cancelled > 100);       // expect: 0 left
}
