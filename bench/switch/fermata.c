// Two activities that yield to each other: nanoseconds for one switch, the best of many chunks.
//     async int bouncer(int n) { for (int i = 0; i < n; i++) yield; return n; }
//     async int chunk(int n) { auto a = spawn bouncer(n); auto b = spawn bouncer(n); return await a + await b; }
#include "../lowered.h"

typedef struct { fm_frame h; int result; int n, i; } bouncer_frame;
static void bouncer__fm_resume(fm_domain *c, fm_frame *h) {
  bouncer_frame *f = (bouncer_frame *)h;
  int n = f->n, i = f->i;
  switch (h->state) { case 1: goto L1; }
  for (i = 0; i < n; i++) {
    f->i = i;
    fm__yield_here(c, h, 1);
    return;
  L1:;
  }
  f->result = n;
}
CODE(bouncer, int, NOT_VOID(bouncer));

static fm_frame *bouncer__fm_start(fm_domain *c, int n) {
  bouncer_frame *f = (bouncer_frame *)fm__frame_new(c, &bouncer__fm_code);
  f->n = n;
  return &f->h;
}

typedef struct { fm_frame h; int result; int n; int v; fm_task a, b; } chunk_frame;
static void chunk__fm_resume(fm_domain *c, fm_frame *h) {
  chunk_frame *f = (chunk_frame *)h;
  switch (h->state) { case 1: goto L1; case 2: goto L2; }
  f->a = fm__spawn(c, bouncer__fm_start(c, f->n), 0, (fm_activity){ 0 });
  f->b = fm__spawn(c, bouncer__fm_start(c, f->n), 0, (fm_activity){ 0 });
  fm__await(c, f->a);
  if (fm__stopped(c) && fm__below(c) == FM_PAUSED) { h->state = 1; fm__paused(c, h); return; }
L1:
  f->v = *(int *)c->result;
  fm__done(c);
  fm__await(c, f->b);
  if (fm__stopped(c) && fm__below(c) == FM_PAUSED) { h->state = 2; fm__paused(c, h); return; }
L2:
  f->result = f->v + *(int *)c->result;
  fm__done(c);
}
CODE(chunk, int, NOT_VOID(chunk));

int main(void) {
  enum { N = 2000 };
  double best = 1e30;
  for (int k = 0; k < 20000; k++) {
    chunk_frame *f = (chunk_frame *)fm__frame_new(fm__here(), &chunk__fm_code);
    int v;
    f->n = N;
    double t = now();
    fm__run(&f->h, &v);
    t = (now() - t) / (2 * (double)N);
    if (v != 2 * N) abort();
    if (t < best) best = t;
  }
  printf("switch %.2f\n", best);
  return 0;
}
