// A variable that its own value names, above all `p = malloc(sizeof *p)`: in loops, with pauses before, within and after.
#include <fermata.h>
#include <stdlib.h>

struct node { int v; struct node *next; };
async int echo(int x) { yield; return x; }
async void *allocate(size_t n) { yield; return malloc(n); }

static async int list(int n) {
  struct node *head = NULL;
  for (int i = 0; i < n; i++) {
    struct node *p = malloc(sizeof *p);
    p->v = i;
    yield;
    p->next = head;
    head = p;
  }
  int sum = 0;
  while (head) {
    struct node *p = head, *next = p->next;
    sum = sum * 10 + echo(p->v);
    head = next;
    free(p);
  }
  return sum;
}

static async int paused(int n) {
  int sum = 0;
  do {
    struct node *p = allocate(sizeof *p);
    *p = (struct node){.v = n, .next = p};
    yield;
    sum += p->next->v;
    free(p);
  } while (--n);
  return sum;
}

static async long sizes(int n) {
  long r = 0;
  while (n-- > 0) {
    unsigned long k = sizeof k, m = _Alignof(__typeof__(m));
    yield;
    struct { int size, v; char name[sizeof n]; } s = {.size = sizeof s, .v = n};
    yield;
    __typeof__(n) a[3] = {sizeof a / sizeof *a};
    yield;
    r += (long)(k + m) + s.size + s.v + a[0] + a[1];
  }
  return r;
}

static async int gotos(int n) {
  yield;
again:;
  int *p = malloc(sizeof *p);
  yield;
  *p = n;
  if (n--) {
    free(p);
    goto again;
  }
  n = *p;
  free(p);
  return n;
}

static async int circular(int n) {                // its own address
  int sum = 0;
  for (; n; n--) {
    struct node self = {n, &self};
    yield;
    struct node *const at = &self;
    sum += at->next->v;
    switch (n) {
    case 1:;
      struct node *q = malloc(sizeof *q);
      q->v = echo(4);
      sum += q->v;
      free(q);
    }
  }
  return sum;
}

static async int bodies(int n) {
  int sum = 0;
  scope {
    activate (n) {
      for (int i = 0; i < n; i++) {
        int *p = malloc(sizeof *p);
        yield;
        *p = i;
        sum += *p;
        free(p);
      }
    }
  }
  auto j = job (n) {
    struct node *p = malloc(sizeof *p);
    p->v = n;
    yield;
    int v = p->v;
    free(p);
    return v;
  };
  sum += await j;
  fm_job_free(j);
  try {
    struct node *p = malloc(sizeof *p);
    defer free(p);
    p->v = n;
    yield;
    sum += p->v;
  } finally {
    int *p = allocate(sizeof *p);
    free(p);
  }
  return sum;
}

async int main(void) {
  printf("%d\n", list(4));                        // expect: 3210
  printf("%d\n", paused(3));                      // expect: 6
  printf("%ld\n", sizes(2));                      // expect: 63
  printf("%d\n", gotos(2));                       // expect: 0
  printf("%d\n", circular(3));                    // expect: 10
  printf("%d\n", bodies(4));                      // expect: 14
  return 0;
}
