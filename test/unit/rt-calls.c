// Calls: frames made only when something pauses, at each level of three; results handed from frame to frame; recursion
// deeper than any stack; tail calls in bounded space, in both versions.
#include "rt.h"

// async int leaf(int n) { if (n % every == 0) yield; return n; }
static int every;
FRAME(leaf, int, int n;)
static void leaf__fm_resume(fm_domain *c, fm_frame *h) {
  F(leaf);
  leaf->result = leaf->n;
}
DESCRIBE(leaf, 1, 2)
static int leaf__fm_spill(fm_domain *c, uint32_t state, int n) {
  fm_frame *h = START(leaf, .n = n);
  h->state = state;
  fm__paused(c, h);
  return 0;
}
static int leaf__fm_call(fm_domain *c, int n) {
  if (n % every == 0) {
    fm__yield(c);
    if (fm__stopped(c) && fm__below(c) == FM_PAUSED)
      return leaf__fm_spill(c, 1, n);
  }
  return n;
}

// async int middle(int n) { int s = leaf(n); return s + leaf(n + 1); }
FRAME(middle, int, int n; int s;)
static void middle__fm_resume(fm_domain *c, fm_frame *h) {
  F(middle);
  int v;
  switch (h->state) { case 1: goto L1; case 2: goto L2; }
  abort();
L1:
  middle->s = rt_int(c);
  v = leaf__fm_call(c, middle->n + 1);
  if (fm__stopped(c) && fm__below(c) == FM_PAUSED) {
    h->state = 2;
    fm__paused(c, h);
    return;
  }
  if (0)
L2:
    v = rt_int(c);
  middle->result = middle->s + v;
}
DESCRIBE(middle, 1, 2, 3)
static int middle__fm_spill(fm_domain *c, uint32_t state, int n, int s) {
  fm_frame *h = START(middle, .n = n, .s = s);
  h->state = state;
  fm__paused(c, h);
  return 0;
}
static int middle__fm_call(fm_domain *c, int n) {
  int s = leaf__fm_call(c, n), v;
  if (fm__stopped(c) && fm__below(c) == FM_PAUSED)
    return middle__fm_spill(c, 1, n, 0);
  v = leaf__fm_call(c, n + 1);
  if (fm__stopped(c) && fm__below(c) == FM_PAUSED)
    return middle__fm_spill(c, 2, n, s);
  return s + v;
}

// async int top(int n) { int s = 0; for (int i = 0; i < n; i++) s += middle(i); return s; }
FRAME(top, int, int n; int s; int i;)
static void top__fm_resume(fm_domain *c, fm_frame *h) {
  F(top);
  int v;
  switch (h->state) { case 1: goto L1; }
  for (top->s = 0, top->i = 0; top->i < top->n; top->i++) {
    v = middle__fm_call(c, top->i);
    if (fm__stopped(c) && fm__below(c) == FM_PAUSED) {
      h->state = 1;
      fm__paused(c, h);
      return;
    }
    if (0)
L1:
      v = rt_int(c);
    top->s += v;
  }
  top->result = top->s;
}
DESCRIBE(top, 1, 2)

// async long depth(int n) { return n ? depth(n - 1) + 1 : 0; }
FRAME(depth, int, int n;)
static int depth__fm_spill(fm_domain *c, uint32_t state, int n) {
  fm_frame *h = START(depth, .n = n);
  h->state = state;
  fm__paused(c, h);
  return 0;
}
static int spills;
static int depth__fm_call(fm_domain *c, int n) {
  if (fm__low(c) && fm__entry(c)) {
    spills++;
    return depth__fm_spill(c, 0, n);
  }
  if (n == 0)
    return 0;
  int v = depth__fm_call(c, n - 1);
  if (fm__stopped(c) && fm__below(c) == FM_PAUSED)
    return depth__fm_spill(c, 1, n);
  return v + 1;
}
static void depth__fm_resume(fm_domain *c, fm_frame *h) {
  F(depth);
  int v;
  switch (h->state) { case 1: goto L1; }
  if (depth->n == 0) {
    depth->result = 0;
    return;
  }
  v = depth__fm_call(c, depth->n - 1);
  if (fm__stopped(c) && fm__below(c) == FM_PAUSED) {
    h->state = 1;
    fm__paused(c, h);
    return;
  }
  if (0)
L1:
    v = rt_int(c);
  depth->result = v + 1;
}
DESCRIBE(depth, 1, 2)

// async int chain(int n) { if (n % 3 == 0) yield; if (!n) return 17; return chain(n - 1); }
FRAME(chain, int, int n;)
static int chain__fm_call(fm_domain *c, int n);
static void chain__fm_resume(fm_domain *c, fm_frame *h) {
  F(chain);
  switch (h->state) { case 1: goto L1; }
  if (chain->n % 3 == 0) {
    fm__yield(c);
    WAIT(1);
  }
  if (chain->n == 0) {
    chain->result = 17;
    return;
  }
  chain->result = chain__fm_call(c, chain->n - 1);
  if (fm__stopped(c) && fm__below(c) == FM_PAUSED)
    fm__tail(c, h);
}
DESCRIBE(chain, 1, 2)
static int chain__fm_spill(fm_domain *c, uint32_t state, int n) {
  fm_frame *h = START(chain, .n = n);
  h->state = state;
  fm__paused(c, h);
  return 0;
}
static int chain__fm_call(fm_domain *c, int n) {
  if (fm__low(c) && fm__entry(c))
    return chain__fm_spill(c, 0, n);
  if (n % 3 == 0) {
    fm__yield(c);
    if (fm__stopped(c) && fm__below(c) == FM_PAUSED)
      return chain__fm_spill(c, 1, n);
  }
  if (n == 0)
    return 17;
  return chain__fm_call(c, n - 1);
}

int main(void) {
  int v;
  setenv("FERMATA_TICK", "off", 1);
  fm__runtime *d = fm__runtime_of(fm__here());
  for (every = 1; every <= 4; every++) {
    rt_run(START(top, .n = 10), &v);
    assert(v == 100);
  }
  rt_run(START(depth, .n = 1000000), &v);
  assert(v == 1000000 && spills > 0);
  size_t made = d->made;
  rt_run(START(chain, .n = 100000), &v);
  assert(v == 17 && d->made <= made + 3);         // bounded space
  fm__runtime_free(d);
  return 0;
}
