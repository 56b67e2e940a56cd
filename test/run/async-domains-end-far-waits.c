// Domains end while activities in them wait for a channel, or a task, of the thread that ends them: that goes on answering, though it is blocked.
// flags: -pthread
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/sync.h>
#include <fermata/time.h>

typedef fm_chan(int) int_chan;
static int_chan jobs;
static task(int) slow;
static fm_pool *q;                                // is there to the end

static async void work(const char *who) {
  defer printf("%s has unwound\n", who);
  try {
    for (;;) printf("%s: job %d\n", who, fm_recv(&jobs));
  } catch (struct fm_closed e) {
    (void)e;
  }
}
static async void start_work(void) { spawn detached work("detached"); }
static async int sleep_for(uint64_t ms) {
  fm_sleep(ms);
  return 1;
}
static async int wait_for_slow(void) { return await slow; }

async int main(void) {
  fm_pool *p = fm_pool_new(2);
  q = fm_pool_new(1);
  fm_domain *d = fm_domain_new(NULL);
  if (!p || !q || !d) return 1;
  fm_chan_init(&jobs, 1);
  auto t = spawn on(p) work("child");
  printf("%d\n", fm_try_send(&jobs, 1));          // expect: 1
  fm_sleep(10);                                   // expect: child: job 1
  fm_pool_free(p);                                // expect: child has unwound
  try {
    await t;
  } catch (struct fm_cancelled e) {
    (void)e;
    printf("cancelled\n");                        // expect: cancelled
  }
  slow = spawn sleep_for(30);
  auto w = spawn on(d) wait_for_slow();
  fm_sleep(5);
  fm_domain_free(d);
  printf("freed\n");                              // expect: freed
  fm_detach(w);
  auto s = spawn on(q) start_work();
  await s;
  fm_sleep(5);
  return 0;                                       // expect: detached has unwound
}
