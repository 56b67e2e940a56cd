// jobs.c: a queue of jobs, done by a few workers. Each job may fail, take too long, or be taken back, before it begins or in the middle;
// and all can be stopped.
//
// What is to be done is a value of the language, a `job`, with its arguments in it; it runs when a worker awaits it. A worker opens a scope
// for each job: that is what is cancelled, by the user or by the deadline, and then the worker takes the next one. The scope around the
// workers is what stops them all.
//   fmcc -O2 -o jobs jobs.c && FERMATA_DRIVER=virtual ./jobs
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>

struct failed { const char *why; };

typedef enum State { QUEUED, RUNS, DONE, FAILED, LATE, CANCELLED } State;
typedef struct Entry {
  const char *name;
  job(int) throws(struct failed) work;
  uint64_t limit;                                 // in ms, from its beginning; 0: none
  State state;
  fm_activity scope;                              // while it runs
  int result;
  const char *why;                                // of FAILED
} Entry;

typedef fm_chan(Entry *) Queue;
static Queue queue;
static int now(void) { return (int)(fm_now() / 1000000); }

// ---- the queue ----
static async void do_job(Entry *e) {
  defer if (e->state == RUNS) e->state = CANCELLED; // the worker itself has been
  try {
    scope (s) {
      if (e->limit) fm_cancel_after(s, e->limit);
      e->state = RUNS;
      e->scope = s;
      e->result = await e->work;
      e->state = DONE;
    } else if (e->state == RUNS) e->state = LATE; // by the deadline, not by cancel()
  } catch (struct failed f) {
    e->state = FAILED;
    e->why = f.why;
  }
}

static async void worker(int n) {
  try {
    for (;;) {
      Entry *e = fm_recv(&queue);
      if (e->state != QUEUED) continue;           // taken back
      printf("%4d: worker %d begins %s\n", now(), n, e->name);
      do_job(e);
    }
  } catch (struct fm_closed c) {
    (void)c;
  }
}

static void submit(Entry *e) {
  fm_try_send(&queue, e);                         // it is unbounded
}

static void cancel(Entry *e) {
  State old = e->state;
  if (old == QUEUED || old == RUNS) e->state = CANCELLED;
  if (old == RUNS) fm_cancel(e->scope);
}

// ---- the work ----
static async int bake(const char *what, int ms) throws(struct failed) {
  defer printf("%4d: the oven is free\n", now());
  fm_sleep((uint64_t)ms);
  if (ms == 70) throw (struct failed){ "burnt" };
  printf("%4d: %s\n", now(), what);
  return ms * 2;
}

static void print(const Entry *e) {
  static const char *states[] = { "queued", "runs", "done", "failed", "late", "cancelled" };
  printf("%s: %s", e->name, states[e->state]);
  if (e->state == DONE) printf(", %d", e->result);
  if (e->state == FAILED) printf(", %s", e->why);
  printf("\n");
}

async int main(void) {
  Entry e[] = {
    { .name = "bread", .work = job bake("bread is ready", 100) },
    { .name = "rolls", .work = job bake("rolls are ready", 70) },
    { .name = "cake", .work = job bake("cake is ready", 500), .limit = 200 },
    { .name = "pie", .work = job bake("pie is ready", 300) },
    { .name = "pizza", .work = job bake("pizza is ready", 50) },
    { .name = "tart", .work = job bake("tart is ready", 50) },
    { .name = "goose", .work = job bake("goose is ready", 5000) },
  };
  int n = sizeof e / sizeof *e;
  fm_chan_init(&queue, FM_UNBOUNDED);
  scope (workers) {
    for (int i = 0; i < 2; i++) spawn worker(i);
    for (int i = 0; i < n; i++) submit(&e[i]);
    cancel(&e[4]);                                // has not begun
    fm_sleep(150);
    cancel(&e[3]);                                // in the middle
    fm_sleep(850);
    fm_cancel(workers);                           // closing time
  } else {
    printf("%4d: all stop\n", now());
  }
  for (int i = 0; i < n; i++) {
    print(&e[i]);
    fm_job_free(e[i].work);
  }
  fm_chan_free(&queue);
  return 0;
}
// env: FERMATA_DRIVER=virtual
// output:    0: worker 0 begins bread
// output:    0: worker 1 begins rolls
// output:   70: the oven is free
// output:   70: worker 1 begins cake
// output:  100: bread is ready
// output:  100: the oven is free
// output:  100: worker 0 begins pie
// output:  150: the oven is free
// output:  150: worker 0 begins tart
// output:  200: tart is ready
// output:  200: the oven is free
// output:  200: worker 0 begins goose
// output:  270: the oven is free
// output: 1000: the oven is free
// output: 1000: all stop
// output: bread: done, 200
// output: rolls: failed, burnt
// output: cake: late
// output: pie: cancelled
// output: pizza: cancelled
// output: tart: done, 100
// output: goose: cancelled
