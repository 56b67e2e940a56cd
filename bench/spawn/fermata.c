// Spawn and await: one at a time, and 10^5 spawned, then awaited; nanoseconds for one, the best of many chunks. With an
// argument N: N idle activities; prints the bytes of each.
//     async int one(int n) { return n; }
//     async int in_turn(int n) { int s = 0; for (int i = 0; i < n; i++) s += await spawn one(1); return s; }
//     async int many(int n, task(int) *t) { for (i) t[i] = spawn one(1); int s = 0; for (i) s += await t[i]; return s; }
//     async int idle(int n) { fm_join(whom); return n; }
#include "../lowered.h"

#include <stdio.h>
#include <unistd.h>

typedef struct { fm_frame h; int result; int n; } one_frame;
static void one__fm_resume(fm_domain *c, fm_frame *h) {
  one_frame *f = (one_frame *)h;
  (void)c;
  f->result = f->n;
}
CODE(one, int, NOT_VOID(one));
static fm_frame *one__fm_start(fm_domain *c, int n) {
  one_frame *f = (one_frame *)fm__frame_new(c, &one__fm_code);
  f->n = n;
  return &f->h;
}

typedef struct { fm_frame h; int result; int n, i, s; } in_turn_frame;
static void in_turn__fm_resume(fm_domain *c, fm_frame *h) {
  in_turn_frame *f = (in_turn_frame *)h;
  int n = f->n, i = f->i, s = f->s;
  int *p;
  switch (h->state) { case 1: goto L1; }
  for (s = 0, i = 0; i < n; i++) {
    p = fm__await(c, fm__spawn(c, one__fm_start(c, 1), 0, (fm_activity){ 0 }));
    if (fm__stopped(c) && fm__below(c) == FM_PAUSED) {
      h->state = 1;
      f->i = i;
      f->s = s;
      fm__paused(c, h);
      return;
    }
    if (0)
    L1:
      p = c->result;
    s += *p;
    fm__done(c);
  }
  f->result = s;
}
CODE(in_turn, int, NOT_VOID(in_turn));

typedef struct { fm_frame h; int result; int n, i, s; fm_task *t; } many_frame;
static void many__fm_resume(fm_domain *c, fm_frame *h) {
  many_frame *f = (many_frame *)h;
  int n = f->n, i = f->i, s = f->s;
  int *p;
  switch (h->state) { case 1: goto L1; }
  for (i = 0; i < n; i++)
    f->t[i] = fm__spawn(c, one__fm_start(c, 1), 0, (fm_activity){ 0 });
  for (s = 0, i = 0; i < n; i++) {
    p = fm__await(c, f->t[i]);
    if (fm__stopped(c) && fm__below(c) == FM_PAUSED) {
      h->state = 1;
      f->i = i;
      f->s = s;
      fm__paused(c, h);
      return;
    }
    if (0)
    L1:
      p = c->result;
    s += *p;
    fm__done(c);
  }
  f->result = s;
}
CODE(many, int, NOT_VOID(many));

// ---- idle ----
static fm_activity whom;
typedef struct { fm_frame h; int result; int n; } idle_frame;
static void idle__fm_resume(fm_domain *c, fm_frame *h) {
  idle_frame *f = (idle_frame *)h;
  switch (h->state) { case 1: goto L1; }
  fm__join(c, whom);
  if (fm__stopped(c) && fm__below(c) == FM_PAUSED) { h->state = 1; fm__paused(c, h); return; }
L1:
  f->result = f->n;
}
CODE(idle, int, NOT_VOID(idle));

static double resident(void) {
  long pages = 0, rest;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &rest, &pages) != 2) abort();
  fclose(file);
  return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

typedef struct { fm_frame h; int result; int n; } crowd_frame;
static void crowd__fm_resume(fm_domain *c, fm_frame *h) {
  crowd_frame *f = (crowd_frame *)h;
  static double before;
  switch (h->state) { case 1: goto L1; }
  before = resident();
  whom = fm_self();
  for (int i = 0; i < f->n; i++) {
    idle_frame *g = (idle_frame *)fm__frame_new(c, &idle__fm_code);
    g->n = i;
    fm__spawn(c, &g->h, FM_SPAWN_DETACHED | FM_SPAWN_DROP, (fm_activity){ 0 });
  }
  fm__yield(c);
  if (fm__stopped(c) && fm__below(c) == FM_PAUSED) { h->state = 1; fm__paused(c, h); return; }
L1:
  printf("idle %.1f\n", (resident() - before) / f->n);
}
CODE(crowd, int, NOT_VOID(crowd));

static double time_of(const fm_code *code, int n, fm_task *t) {
  many_frame *f = (many_frame *)fm__frame_new(fm__here(), code);
  int v;
  double start = now();
  f->n = n;
  if (t) f->t = t;
  fm__run(&f->h, &v);
  if (v != n) abort();
  return (now() - start) / n;
}

int main(int argc, char **argv) {
  enum { N = 100000, FEW = 2000 };
  double turn = 1e30, all = 1e30;
  if (argc > 1) {
    crowd_frame *f = (crowd_frame *)fm__frame_new(fm__here(), &crowd__fm_code);
    f->n = atoi(argv[1]);
    fm__run(&f->h, NULL);
    return 0;
  }
  fm_task *t = malloc(N * sizeof *t);
  for (int k = 0; k < 200; k++) {
    double y = time_of(&many__fm_code, N, t);
    for (int i = 0; i < 50; i++) {
      double x = time_of(&in_turn__fm_code, FEW, NULL);
      if (x < turn) turn = x;
    }
    if (y < all) all = y;
  }
  free(t);
  printf("spawn %.2f\nmany %.2f\n", turn, all);
  return 0;
}
