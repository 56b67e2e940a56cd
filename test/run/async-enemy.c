// Everything at once: recursion, function pointers, structs by value, switches in loops, statement expressions, tasks.
#include "parts/async.h"

struct expr { char op; int value; const struct expr *l, *r; };
struct result { int value; unsigned pauses : 10; _Bool ok; };
static int budget;

typedef async struct result eval_fn(const struct expr *, int depth);
static eval_fn eval;
static async struct result number(const struct expr *e, int depth) {
  struct result r = { e->value, 1, depth < 50 };
  if (budget++ % 3 == 0) yield;
  return r;
}
static async struct result binary(const struct expr *e, int depth) {
  struct result both[2], r = { .ok = 1 };
  const struct expr *side[] = { e->l, e->r };
  if (depth % 2) {
    auto t = spawn eval(side[0], depth + 1);
    both[1] = eval(side[1], depth + 1);
    both[0] = await t;
  } else {
    for (int i = 0; i < 2; i++) both[i] = eval(side[i], depth + 1);
  }
  switch (e->op) {
  case '+': r.value = both[0].value + both[1].value; break;
  case '-': r.value = both[0].value - both[1].value; break;
  case '*': {
    int n = both[1].value;
    while (n-- > 0) r.value += ({ struct result one = both[0]; if (later(n) % 2) yield; one.value; });
    break;
  }
  default: r.ok = 0;
  }
  r.pauses = both[0].pauses + both[1].pauses;
  r.ok = r.ok && both[0].ok && both[1].ok;
  return r;
}
static async struct result eval(const struct expr *e, int depth) {
  static eval_fn *const by_kind[2] = { number, binary };
  return by_kind[e->op != 0](e, depth);
}

static async int test(int first) {
  if (first) yield;
  struct expr n[4] = { { .value = 2 }, { .value = 3 }, { .value = 4 }, { .value = 5 } };
  struct expr sum = { '+', 0, &n[0], &n[1] }, product = { '*', 0, &sum, &n[2] }, all = { '-', 0, &product, &n[3] };
  struct expr top = { '+', 0, &all, &product };
  struct result r = eval(&top, 0);
  return r.ok ? r.value * 100 + r.pauses : -1;
}

async int main(void) {
  THREE(test);                    // expect: 3507 3507 3507
}
