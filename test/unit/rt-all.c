// fm_all, fm_any; jobs.
#include "play.h"

static void all(void) {
  PLAY("=0=1A01.@0@1x", "..a$1", ".b$2");
  said("ba12x");
  PLAY("=0=1...A01.@0@1x", "a$1", "b$2");         // all have ended
  said("ab12x");
  PLAY("A.x");                                    // none
  said("x");
  PLAY("=0=1{A01.y}x", "/a?9", ".!e");            // the first error cancels the rest, and is thrown when all have ended
  said("Aa(e)x");
  PLAY("=0=1{A01.y}x", ".!d", ".!e");
  said("(de)x");
  PLAY("=0=1...{A01.y}x", "/a?9", ".!e");         // it had failed before
  said("Aa(e)x");
  PLAY("=0=1.^0{A01.y}x", "?9", "...a");          // a cancelled task is one that fails
  said("(fm_cancelled)x");
  PLAY("=0..^0{@0}x", "=1A1.y", "/a?9");          // the one that waits is cancelled
  said("Aa(fm_cancelled)x");
}

static void any(void) {
  PLAY("=0=1Y01.@1x", "..a$1", ".b$2");
  said("ba1 first 2x");                           // the others may go on until the one that waits does
  PLAY("=0=1..Y01.@0x", "a$1", "b$2");            // the first of those that have ended
  said("ab0 first 1x");
  PLAY("=0=1Y01.@1x", "/a?9", ".b$2");            // the others have unwound
  said("bAa1 first 2x");
  PLAY("=0=1Y01.{@1}x", "/a?9", ".!e");
  said("Aa1 first (e)x");
  PLAY("=0..^0{@0}x", "=1=2Y12.y", "/a?9", "/b?9");
  said("ABab(fm_cancelled)x");
}

// ---- many: a step for each ----
FRAME(many, size_t, fm_task *t; size_t n;)
static void many__fm_resume(fm_domain *c, fm_frame *h) {
  F(many);
  switch (h->state) { case 1: goto L1; }
  for (size_t i = 0; i < many->n; i++)
    many->t[i] = rt_spawn(c, play_script(i == many->n / 2 ? "..!m" : "?9"), 0);
  ((void (*)(fm_domain *, fm_task *, size_t))fm_all->call)(c, many->t, many->n);
  WAIT(1);
  abort();
}
DESCRIBE(many, 1, 2)

static void many(void) {
  enum { N = 100000 };
  fm_task *t = malloc(N * sizeof *t);
  fm__run(START(many, .t = t, .n = N), NULL);
  fm_error *e = fm__caught(NULL);
  assert(fm__is(e, "bad", sizeof(struct bad)));
  fm__error_drop(e);
  free(t);
}

// ---- jobs ----
FRAME(user, int, fm_job j; int sum;)
static void user__fm_resume(fm_domain *c, fm_frame *h) {
  F(user);
  switch (h->state) { case 1: goto L1; case 2: goto L2; case 3: goto L3; }
  fm__await_job(c, user->j);
  WAIT(1);
  user->sum = rt_int(c);
  fm__await_job(c, user->j);
  WAIT(2);
  user->sum += rt_int(c);
  fm__await(c, rt_spawn(c, fm__job_start(c, user->j), 0));
  WAIT(3);
  user->result = user->sum + rt_int(c);
}
DESCRIBE(user, 1, 2, 3, 4)

static void jobs(void) {
  int v;
  fm_job j = fm__job_new(play_script("a.$5b"));
  fm__run(fm__job_start(fm__here(), j), &v);
  assert(v == 5);
  rt_run(START(user, .j = j), &v);
  assert(v == 15);
  fm_job_free(j);
  said("abababab");
  j = fm__job_new(play_script("a.!j"));
  fm__run(START(user, .j = j), &v);
  say_error("", fm__thrown, "");
  fm__error_drop(fm__caught(NULL));
  fm__job_free(j);
  said("aj");
  fm_domain *c = fm__atomic_enter();
  j = fm__job_new(play_script("a.$6b"));
  fm__await_job(c, j);
  ATOMIC_WAIT();
  assert(rt_int(c) == 6);
  fm__atomic_leave(c);
  fm__job_free(j);
  said("ab");
}

int main(void) {
  setenv("FERMATA_TICK", "off", 1);
  all();
  any();
  many();
  jobs();
  fm__runtime_free(fm__runtime_of(fm__here()));
  return 0;
}
