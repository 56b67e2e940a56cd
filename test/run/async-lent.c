// Variables whose addresses are only lent to calls keep their values across pauses; where an address is kept, it stays good.
// env: FERMATA_TICK=always
#include "parts/async.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
// flags: -lm

typedef struct box { int n; struct { int m[2]; } in; } box;
static int *kept;
static struct { int *p; } holder;

static async void store(int n, int *to) { *to = n; }
static async void more(int *p) { if (p && *p > 0) ++*p; }
static async void two(int *p, int *q) { store(3, p); store(*p + 1, q); }
static async int read_box(box *b) { b->in.m[1] = b->n; return b->in.m[0]; }
static async void keep(int *p) { kept = p; }
static async int *same(int *p) { return p; }
static async void hold(int *p) { holder.p = p; }
static async void keep_deep(int *p) { keep(p); }
static async int *inner(box *b) { return &b->in.m[0]; }
static async int *decay(box *b) { return b->in.m; }
typedef struct one { int m; } one;
static async int *member(one *o) { return &o->m; }
static async void link_up(one *o) { kept = &o->m; }
static async void alias(int *p) { int *q = p; kept = q; }
static async int *conditional(int *p, int n) { return n ? p : NULL; }
static async void pauses(int *p) { yield; *p = 9; }
static async int ask(int n) { yield; return n; }
static void plain(int *p) { kept = p; }
static void cleaned(int *p) { printf("cleaned %d\n", *p); }

static async int lends(int n) {
  int found = n, next;
  box b = { .n = 7, .in = { { 5, 6 } } };
  store(n + 1, &found);
  int a = ask(1);
  more(&found);
  a += ask(1);
  two(&found, &next);
  ask(0);
  a += read_box(&b);
  ask(0);
  more(&b.in.m[0]);
  ask(0);
  return a * 1000 + found * 100 + next * 10 + b.in.m[1] - b.in.m[0];
}
static async int parameter(int n) {
  ask(0);
  more(&n);
  ask(0);
  return n;
}
static async int library(void) {
  char *end, text[8] = "12 x";
  double whole, part = modf(2.5, &whole);
  long n = strtol(text, &end, 10);
  int a, b = 0, c = 4, d;
  ask(0);
  memcpy(&b, &c, sizeof b);
  memset(&d, 0, sizeof d);
  ask(0);
  int got = sscanf("5 6", "%d %d", &a, &d);
  ask(0);
  return (int)n + (*end == ' ') + b + a + d + got + (int)whole + (part == 0.5) + (memcmp(&b, &c, 4) == 0);
}

static async int keeps(int which) {
  int x = 1, *p = &x;
  if (which == 0) keep(&x), p = kept;
  if (which == 1) p = same(&x);
  if (which == 2) hold(&x), p = holder.p;
  if (which == 3) keep_deep(&x), p = kept;
  if (which == 4) alias(&x), p = kept;
  if (which == 5) p = conditional(&x, 1);
  if (which == 6) plain(&x), p = kept;
  if (which == 7) p = memset(&x, 0, sizeof x), x = 1;
  ask(0);
  *p += 4;
  ask(0);
  return x;
}
// each alone, so that nothing else keeps the variable in its place
static async int keeps_one(void) { int x = 1; keep(&x); ask(0); *kept += 4; ask(0); return x; }
static async int keeps_same(void) { int x = 1; int *p = same(&x); ask(0); *p += 4; ask(0); return x; }
static async int keeps_held(void) { int x = 1; hold(&x); ask(0); *holder.p += 4; ask(0); return x; }
static async int keeps_deep(void) { int x = 1; keep_deep(&x); ask(0); *kept += 4; ask(0); return x; }
static async int keeps_inner(void) { box b = { .n = 1 }; int *p = inner(&b); ask(0); *p += 5; ask(0); return b.in.m[0]; }
static async int keeps_member(void) { one o = { 1 }; int *p = member(&o); ask(0); *p += 4; ask(0); return o.m; }
static async int keeps_linked(void) { one o = { 1 }; link_up(&o); ask(0); *kept += 4; ask(0); return o.m; }
static async int keeps_decay(void) { box b = { .n = 1 }; int *p = decay(&b); ask(0); *p += 5; ask(0); return b.in.m[0]; }
static async int keeps_alias(void) { int x = 1; alias(&x); ask(0); *kept += 4; ask(0); return x; }
static async int keeps_cond(void) { int x = 1; int *p = conditional(&x, 1); ask(0); *p += 4; ask(0); return x; }
static async int keeps_memset(void) { int x = 1; int *p = memset(&x, 0, 4); ask(0); *p += 5; ask(0); return x; }
static async int keeps_plain(void) { int x = 1; plain(&x); ask(0); *kept += 4; ask(0); return x; }
static async int keeps_pausing(void) { int x = 1; pauses(&x); ask(0); return x; }
static async int keeps_spawned(void) { int x = 1; auto t = spawn store(8, &x); ask(0); await t; return x; }
static async int keeps_field(void) {
  int x = 1;
  struct { int *p; } s = { &x };
  ask(0);
  *s.p = 6;
  ask(0);
  return x;
}
static async void cleans(void) {
  __attribute__((cleanup(cleaned))) int x = 1;
  ask(0);
  more(&x);
  ask(0);
}

async int main(void) {
  printf("%d\n", lends(1));                          // expect: 7341
  printf("%d\n", parameter(3));                      // expect: 4
  printf("%d\n", library());                         // expect: 34
  for (int i = 0; i < 8; i++) printf("%d", keeps(i));
  printf("\n");                                      // expect: 55555555
  printf("%d%d%d%d%d", keeps_one(), keeps_same(), keeps_held(), keeps_deep(), keeps_inner());
  printf("%d%d%d%d%d\n", keeps_decay(), keeps_alias(), keeps_cond(), keeps_memset(), keeps_plain()); // expect: 5555555555
  printf("%d %d %d\n", keeps_pausing(), keeps_spawned(), keeps_field()); // expect: 9 8 6
  printf("%d %d\n", keeps_member(), keeps_linked()); // expect: 5 5
  cleans();                                          // expect: cleaned 2
}
