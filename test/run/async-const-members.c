// Structures and unions with const members, by value, everywhere: one cannot assign to them, but they can be kept.
// warn: ok
#include <fermata.h>
#include <fermata/sync.h>

typedef struct { const unsigned a; unsigned b; } S;
typedef union { const unsigned a; unsigned b; } U;
typedef struct { const struct { const char name[8]; } in; int v; } deep;
struct failed { const int code; };

async S make(unsigned x) { return (S){x, x + 1}; }
async S make_paused(unsigned x) { yield; return (S){x, x + 1}; }
async S tail(unsigned x) { return make(x + 1); }
async S tail_paused(unsigned x) { yield; return make_paused(x + 1); }
async S tail_framed(unsigned x) { int a[20] = {(int)x}; yield; return make_paused(x + (unsigned)a[0]); }
async unsigned of_union(const U p) { return p.b; }
async unsigned of_struct(S p) { yield; return p.a + p.b; }
async unsigned nameless(S, const U) { yield; return 1; }
async deep copy(deep d) { yield; return d; }
async S chosen(int c) { return c ? make(1) : make_paused(2); }

static async unsigned residents(const S p) {     // arrays, an address that is taken, a loop
  S array[2] = {p, make_paused(4)};
  const S *at = &p;
  unsigned sum = 0;
  for (int i = 0; i < 2; i++) {
    const S r = tail_paused((unsigned)i), t = i ? r : tail(7);
    yield;
    sum += r.a + t.b + array[i].b;
  }
  return sum + at->a;
}

static async unsigned expressions(int n) {
  unsigned sum = make_paused(1).a + (n ? make_paused(2) : make(3)).b;
  S s = ({ yield; make_paused(4); });
  sum += s.a + (make(0), make_paused(5)).b + of_struct(chosen(n));
  sum += of_struct((S){make_paused(1).a, 2}) + atomic make_paused(6).b;
  return sum;
}

static async unsigned many(S p, int n) {          // so many pauses that call and resume share one body
  unsigned sum = 0;
  S q = make_paused(1);
  for (int i = 0; i < n; i++) {
    const S r = make_paused(p.a);
    yield; yield; yield; yield; yield; yield; yield; yield; yield;
    sum += r.b + q.a;
  }
  if (n > 2) return 0;
  if (n > 1) yield;
  return sum + of_struct(tail_framed(3));
}
static async S many_back(S p, int n) {
  while (n--) {
    yield; yield; yield; yield; yield; yield; yield; yield; yield;
  }
  if (p.a == 3) return p;
  return make_paused(p.a);
}

static async S thrown(int x) throws(struct failed) {
  yield;
  if (x) throw (struct failed){x};
  return make_paused(8);
}

static async S guarded(int x) {
  try {
    S s = thrown(x);
    return s;
  } catch (struct failed f) {
    yield;
    return (S){(unsigned)f.code, 0};
  } finally {
    yield;
  }
}

typedef fm_chan(S) channel_of_s;
async void sender(channel_of_s *c) throws(struct fm_closed) {
  for (unsigned i = 1; i < 4; i++) fm_send(c, make_paused(i));
}

static async unsigned bodies(S s) {
  unsigned sum = 0;
  scope {
    activate (s) {
      yield;
      sum += s.a;
    }
    activate {
      const S mine = make_paused(2);
      yield;
      sum += mine.b + s.b;
    }
  }
  auto j = job (s) {
    yield;
    return (S){s.a, 9};
  };
  S of_job = await j;
  fm_job_free(j);
  task(S) t = spawn make_paused(10);
  task(unsigned) u = spawn of_struct(s);
  const S of_task = await t;
  sum += of_job.b + of_task.a + await u;
  race {
  case of_struct(make(1)): sum++;
  }
  atomic {
    S s = make_paused(20);
    sum += s.b;
  }
  return sum;
}

static async unsigned channel(void) throws(struct fm_closed) {
  static channel_of_s c[1];
  fm_chan_init(c, 2);
  unsigned sum = 0;
  task(void) throws(struct fm_closed) t = spawn sender(c);
  for (int i = 0; i < 3; i++) {
    const S got = fm_recv(c);
    sum += got.a * got.b;
  }
  await t;
  fm_chan_free(c);
  return sum;
}

async int main(void) {
  U u = {3};
  printf("%u %u %u\n", of_union(u), of_struct((S){1, 2}), nameless((S){1, 2}, u)); // expect: 3 3 1
  for (unsigned i = 0; i < 2; i++) {
    const S r = tail(i), q = tail_framed(i);
    yield;
    printf("%u %u %u %u\n", r.a, r.b, tail_paused(i).a, q.a);
  }
  // expect: 1 2 1 0
  // expect: 2 3 2 2
  printf("%s %d\n", copy((deep){{"name"}, 4}).in.name, copy((deep){{"x"}, 5}).v); // expect: name 5
  printf("%u\n", residents((S){5, 6}));           // expect: 31
  printf("%u %u\n", expressions(0), expressions(1)); // expect: 30 27
  printf("%u %u\n", many((S){1, 2}, 2), many_back((S){3, 1}, 2).b); // expect: 19 1
  printf("%u %u\n", guarded(0).a, guarded(7).a);  // expect: 8 7
  printf("%u\n", bodies((S){1, 2}));              // expect: 50
  try {
    printf("%u\n", channel());                    // expect: 20
  } catch (struct fm_closed) {
  }
  return 0;
}
