// A queue of jobs with a time limit: a job that takes too long is given to another worker. The
// result that comes first counts.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>

enum { JOBS = 5, WORKERS = 3 };

struct job_entry {
  int number;
  bool done;
  int result;
  int attempts;
};

typedef fm_chan(int) queue;

static struct job_entry table[JOBS];
static queue waiting;
static int completed;
static int stored[JOBS]; // in the data base: how often each result was added

static async int compute(struct job_entry *j) {
  // the first attempt at every second job hangs for a while
  fm_sleep(j->number % 2 && j->attempts == 1 ? 30 : 4);
  return j->number * j->number;
}

static async void store(int number, int result) {
  fm_sleep(1);
  assert(result == number * number);
  stored[number]++;
}

static async void finish(struct job_entry *j, int result) {
  if (j->done)
    return;
#ifdef MENDED
  j->done = true;
  store(j->number, result);
#else
  store(j->number, result);
  j->done = true;
#endif
  j->result = result;
  if (++completed == JOBS)
    fm_chan_close(&waiting);
}

static async void worker(void) {
  int i;
  while (fm_recv_or_closed(&waiting, &i)) {
    struct job_entry *j = &table[i];
    j->attempts++;
    finish(j, compute(j));
  }
}

static async void watch(int i) {
  fm_sleep(27);
  if (!table[i].done && !fm_chan_closed(&waiting))
    fm_try_send(&waiting, i);
}

async int main(void) {
  fm_chan_init(&waiting, FM_UNBOUNDED);
  for (int i = 0; i < JOBS; i++) {
    table[i].number = i;
    fm_try_send(&waiting, i);
  }
  scope {
    for (int i = 0; i < WORKERS; i++)
      spawn worker();
    for (int i = 0; i < JOBS; i++)
      spawn watch(i);
  }
  for (int i = 0; i < JOBS; i++)
    assert(stored[i] == 1);
  assert(completed == JOBS);
  return 0;
}
