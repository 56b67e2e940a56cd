// Memory: an idle activity and its frame take at most 144 bytes; each allocation that fails ends the program with a clear
// message and status 1; all of it is given back.
#include "rt.h"

typedef struct heap {
  size_t bytes;                                   // asked for and not given back
  int calls, fail_at;                             // fail_at: the number of the call that fails; 0: none
} heap;

static heap the_heap;

static void *counting(void *ctx, void *p, size_t n) {
  heap *h = ctx;
  size_t *block = p ? (size_t *)p - 2 : NULL;
  if (block)
    h->bytes -= *block;
  if (n == 0) {
    free(block);
    return NULL;
  }
  if (++h->calls == h->fail_at)
    return NULL;
  block = realloc(block, n + 16);
  *block = n;
  h->bytes += n;
  return block + 2;
}

// ---- a million that wait for one ----
FRAME(waits, nothing, fm_activity whom;)
static void waits__fm_resume(fm_domain *c, fm_frame *h) {
  F(waits);
  switch (h->state) { case 1: goto L1; }
  fm__join(c, waits->whom);
  WAIT(1);
}
DESCRIBE(waits, 1, 2)

static size_t used;
FRAME(million, nothing, fm_task t; int n;)
static void million__fm_resume(fm_domain *c, fm_frame *h) {
  F(million);
  switch (h->state) { case 1: goto L1; case 2: goto L2; }
  million->t = rt_spawn(c, START(waits), 0);
  fm__yield(c);
  WAIT(1);
  for (int i = 0; i < million->n; i++)
    rt_spawn(c, START(waits, .whom = fm_self()), FM_SPAWN_DROP | FM_SPAWN_DETACHED);
  fm__yield(c);
  WAIT(2);
  used = the_heap.bytes;
}
DESCRIBE(million, 1, 2, 3)

static void idle_activities(void) {
  int n = 1000000;
  rt_run(START(million, .n = n), NULL);
  assert(used / (size_t)n <= 144);
  fm__runtime_free(fm__runtime_of(fm__here()));
  fm__runtimes_forget();
  assert(the_heap.bytes == 0);
}

// ---- whatever allocates ----
FRAME(large, nothing, char bytes[2000];)
static void large__fm_resume(fm_domain *c, fm_frame *h) {
  F(large);
  fm_set_name(fm_self(), "one with a name");
  fm__atomic_enter();
  fm__atomic_leave(c);
}
DESCRIBE(large, 1)

FRAME(many, nothing)
static void many__fm_resume(fm_domain *c, fm_frame *h) {
  (void)h;
  for (int i = 0; i < 12; i++)
    rt_spawn(c, START(large), FM_SPAWN_DROP);
}
DESCRIBE(many, 1)

static void allocates(void) {
  fm__run(START(many), NULL);
  fm__runtime_free(fm__runtime_of(fm__here()));
  fm__runtimes_forget();
}

static void each_failure(void) {
  char err[4096];
  the_heap.calls = 0;
  allocates();
  assert(the_heap.bytes == 0);
  int calls = the_heap.calls;
  assert(calls > 24);
  for (int i = 1; i <= calls; i++) {
    the_heap = (heap){ .fail_at = i };
    assert(rt_child(allocates, err, sizeof err) == 1);
    assert(strncmp(err, "fermata: out of memory (", 24) == 0);
  }
}

int main(void) {
  fm_set_allocator(counting, &the_heap);
  each_failure();
  the_heap = (heap){ 0 };
  setenv("FERMATA_TICK", "off", 1);
  idle_activities();
  return 0;
}
