// Functions that do not return, plain and async, at the end of those that do: no compiler doubts that there is a value.
#include <fermata.h>
#include <fermata/time.h>
#include <stdlib.h>

struct bad { int n; };
static int turns;

_Noreturn static void die(int n) {
  printf("%d\n", n);
  exit(0);
}
__attribute__((noreturn)) static async void attribute(int n) { yield; die(n); }
_Noreturn static async void word(int n) { fm_sleep(1); die(n); }
static async void behind(int n) __attribute__((cold, __noreturn__));
static async void behind(int n) { attribute(n); }
_Noreturn async void forever(int n);
_Noreturn static async int no_value(int n) { word(n); }
_Noreturn static async void shares(int n) {
  activate { if (n) die(n); }
  for (;;) fm_sleep(1);
}

static async int plain(int x) { if (x) { yield; return x; } die(1); }
static async int called(int x) { if (x) { yield; return x; } attribute(1); }
static async int awaited(int x) { if (x) { yield; return x; } await word(1); }
static async int in_parentheses(int x) { if (x) { yield; return x; } (((behind))(1)); }
static async int whole(int x) { if (x) { yield; return x; } atomic forever(1); }
static async int chosen(int x) { switch (x) { case 1: return 1; default: forever(1); } }
static async int alone(int x) { forever(x); }
static async int not_used(int x) { int v = x; if (x) { yield; return v; } v = no_value(1); }
static async int with_frame(int x) { int a[3] = {1, x, 3}; yield; if (a[x]) { yield; return a[x]; } shares(1); }
static async int with_many(int x) {
  for (int i = 0; i < x; i++) { yield; plain(1); plain(2); plain(3); plain(4); plain(5); plain(6); plain(7); return i; }
  forever(1);
}
static async int no_doubt(int x) {
  int v;
  switch (x) {
  case 1: v = 1; break;
  case 2: v = 5; yield; break;
  default: attribute(1);
  }
  yield;
  return v;
}
static async int tried(int x) { try { if (x) { yield; return 1; } forever(1); } finally { turns++; } }
static async int deferred(int x) { defer turns++; if (x) { yield; return 1; } word(1); }
static async int deferred_plain(int x) { defer turns++; if (x) { yield; return 1; } die(1); }
static async int deferred_built_in(int x) { defer turns++; if (x) { yield; return 1; } __builtin_trap(); }
static atomic int function(int x) { if (x) return 1; forever(1); }
static int from_plain(int x) { if (x) return 1; run forever(1); }
_Noreturn async void forever(int n) {
  for (;;) {
    yield;
    if (n < 0) exit(n);
  }
}

// An error is no return.
static __attribute__((noreturn)) void fail(int n) throws(struct bad) { throw (struct bad){n}; }
__attribute__((noreturn)) static async void fail_later(int n) throws(struct bad) { yield; throw (struct bad){n}; }
__attribute__((cold, noreturn)) static atomic void fail_whole(int n) throws(struct bad) { fail_later(n); }
static void fail_declared(int n) throws(struct bad) __attribute__((noreturn));
static void fail_declared(int n) throws(struct bad) { fail(n); }
// Through pointers likewise; async ones with attributes.
static __attribute__((noreturn)) void (*pointer)(int) throws(struct bad) = fail;
static void (*pointer_behind)(int) throws(struct bad) __attribute__((noreturn)) = fail;
static const struct { __attribute__((noreturn)) void (*fail)(int) throws(struct bad); } table = {fail};
static async int through(int which) {
  __attribute__((noreturn, unused)) async void (*later)(int) throws(struct bad) = fail_later;
  try {
    if (which == 0) pointer(1);
    if (which == 1) pointer_behind(2);
    if (which == 2) table.fail(3);
    later(4);
  } catch (struct bad b) {
    return b.n;
  }
  return 0;
}
static int plain_catch(int x) { try { if (x) return x; fail(10); } catch (struct bad b) { return b.n; } }
static async int catches(int x) { try { if (x) return x; fail_later(20); } catch (struct bad b) { return b.n; } }
static async int catches_plain(int x) { try { if (x) return x; fail_declared(30); } catch (struct bad b) { return b.n; } }
static async int catches_whole(int x) { try { if (x) return x; fail_whole(40); } catch (struct bad b) { return b.n; } }
static async int passes(int x) throws(struct bad) { if (x) return x; fail_later(50); }
static async int passes_plain(int x) throws(struct bad) { if (x) return x; fail(60); }

async int main(void) {
  int n = plain(1) + called(1) + awaited(1) + in_parentheses(1) + whole(1) + chosen(1) + not_used(1) + with_frame(1) + with_many(1) + no_doubt(1);
  n += tried(1) + deferred(1) + deferred_plain(1) + deferred_built_in(1) + function(1) + from_plain(1);
  printf("%d %d\n", n, turns);                                               // expect: 15 4
  printf("%d %d %d %d\n", plain_catch(0), catches(0), catches_plain(0), catches_whole(0)); // expect: 10 20 30 40
  printf("%d %d %d %d\n", through(0), through(1), through(2), through(3));  // expect: 1 2 3 4
  try { passes(0); } catch (struct bad b) { printf("%d\n", b.n); }           // expect: 50
  try { passes_plain(0); } catch (struct bad b) { printf("%d\n", b.n); }     // expect: 60
  try { atomic passes(0); } catch (struct bad b) { printf("%d\n", b.n); }    // expect: 50
  scope (s) { fm_cancel_after(s, 5); n = alone(1); } else puts("cancelled"); // expect: cancelled
  spawn shares(0);
  attribute(7);                                                              // expect: 7
}
