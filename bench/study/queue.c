// queue.c JOBS: a queue of jobs as a service has it. Four submitters make jobs that compute, wait
// for something slow, and store a result; eight workers do them, each job with a deadline. A
// reporter looks at the counters every 20 ms.
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <stdio.h>
#include <stdlib.h>

enum { SUBMITTERS = 4, WORKERS = 8, ROOM = 32, LATEST_MS = 40 };
typedef struct Order {
  int number;
  unsigned size;  // how much there is to compute
  unsigned delay; // ms that the slow part takes
} Order;

static fm_chan(Order) orders;
static struct {
  long submitted, running, done, late;
  unsigned long sum;
} stats;
static unsigned long *results;

static unsigned next_random(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

static async void submit(int first, int count) {
  unsigned state = (unsigned)first + 1;
  for (int i = first; i < first + count; i++) {
    unsigned size = 100 + next_random(&state) % 20000;
    unsigned delay = next_random(&state) % 50;
    Order o = { i, size, delay };
    stats.submitted++;
    try {
      fm_send(&orders, o);
    } catch (struct fm_closed) {
      return;
    }
    if (i % 16 == 0)
      fm_sleep(1 + next_random(&state) % 4);
  }
}

static async unsigned long compute(unsigned size) {
  unsigned long sum = size;
  for (unsigned i = 0; i < size; i++)
    sum = sum * 31 + i % 7;
  return sum;
}

static async void fetch(unsigned ms) {
  fm_sleep(ms);
}

static async void do_order(Order o) {
  unsigned long sum = compute(o.size);
  fetch(o.delay);
  sum += compute(o.size / 4);
  results[o.number] = sum;
  stats.sum += sum;
  stats.done++;
}

static async void worker(void) {
  Order o;
  while (fm_recv_or_closed(&orders, &o)) {
    stats.running++;
    scope (s) {
      fm_cancel_after(s, LATEST_MS);
      do_order(o);
    } else {
      stats.late++;
    }
    stats.running--;
  }
}

static async void report(void) {
  for (;;) {
    fm_sleep(20);
    atomic {
      if (stats.done + stats.late > stats.submitted)
        abort();
    }
  }
}

static async void serve(int jobs) {
  scope {
    for (int i = 0; i < WORKERS; i++)
      spawn worker();
    scope {
      for (int i = 0; i < SUBMITTERS; i++)
        spawn submit(i * jobs / SUBMITTERS, jobs / SUBMITTERS);
    }
    fm_chan_close(&orders);
  }
}

async int main(int argc, char **argv) {
  int jobs = argc > 1 ? atoi(argv[1]) : 400;
  results = calloc((size_t)jobs, sizeof *results);
  fm_chan_init(&orders, ROOM);
  race {
    case report():
      break;
    case serve(jobs):
      break;
  }
  printf("%ld done, %ld late\n", stats.done, stats.late);
  return 0;
}
