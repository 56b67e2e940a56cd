// Types that are defined where an async function, a pointer to one or a typedef of one is declared.
#include <fermata.h>
#include <stdlib.h>

static async enum { OK, BAD = 4 } check(int x) { yield; return x ? OK : BAD; }
static async enum color { RED = 1, BLUE } paint(int x) { yield; return x ? RED : BLUE; }
static async struct pair { int a, b; struct { int c; } in; } make(int x) { yield; return (struct pair){x, x + 1, {2}}; }
async struct { short s; } nameless(int x);
async union number { int i; float f; } *where(union number *n) { yield; n->i++; return n; }
struct __attribute__((packed)) odd { char c; int i; } async packed(char c) { yield; return (struct odd){c, 5}; }
async struct shared { long v; } one(int x), two(int x);
async struct shared one(int x) { yield; return (struct shared){x}; }
async struct shared two(int x) { yield; return (struct shared){2 * x}; }
static async struct given { int g; } (*pointer)(int);
static async struct given give(int x) { yield; return (struct given){x}; }
typedef async struct typed { int t; } maker(int);
static async struct typed typed(int x) { yield; return (struct typed){x}; }
struct table { async struct entry { int e; } (*get)(int); };
static async struct entry entry(int x) { yield; return (struct entry){x}; }

async int main(void) {
  for (int i = 0; i < 2; i++) {
    printf("%d %d\n", check(i) == OK, paint(i) == BLUE);
    struct pair p = make(i);
    yield;
    auto in = make(i).in;
    printf("%d %d %d\n", p.a, p.b, in.c);
    enum color c = RED;
    union number n = {.i = i};
    yield;
    printf("%d %d\n", where(&n)->i, c);
  }
  // expect: 0 1
  // expect: 0 1 2
  // expect: 1 1
  // expect: 1 0
  // expect: 1 2 2
  // expect: 2 1
  printf("%d %zu\n", packed('a').i, sizeof(struct odd)); // expect: 5 5
  printf("%ld %ld\n", one(3).v, two(3).v);        // expect: 3 6
  pointer = give;
  maker *m = typed;
  struct table t = {entry};
  async struct local { int l; } (*none)(int) = NULL;
  struct local l = {8};
  yield;
  printf("%d %d %d %d\n", pointer(4).g, m(5).t, t.get(6).e, none ? 0 : l.l); // expect: 4 5 6 8
  return 0;
}
