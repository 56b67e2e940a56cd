// Errors of tasks that no handler was found for in ways around the check.
#include <fermata.h>

struct e1 { int v; };
static async int f(int x) { yield; return x; }
static async int g(int x) throws(struct e1) { yield; throw (struct e1){x}; }

static async void cast(void) { (void)spawn g(3); }          // error: 8:38: this `spawn` may throw `struct e1`
static async void comma(void) { spawn g(3), f(1); }         // error: 9:33: this `spawn` may throw
static async void either(int k) { k ? (void)spawn g(3) : (void)0; } // error: 10:45: this `spawn` may throw
static async void both(int k) { k ? spawn f(3) : spawn g(4); } // error: 11:50: this `spawn` may throw
static async void statement(void) { (void)({ spawn g(3); }); } // error: 12:46: this `spawn` may throw
static async void step(void) { for (int i = 0; i < 1; i++, spawn g(3)) f(i); } // error: 13:60: this `spawn` may throw

static async void through(void) {
  task(int) t, *p = &t;
  *p = spawn g(7);
  await t;                                        // error: 18:3: `struct e1` may be thrown here
}

static async void later(void) {
  task(int) t[2], *p;
  p = t + 1;
  p[0] = spawn g(7);
  await t[1];                                     // error: 25:3: `struct e1` may be thrown here
}

static async void chosen(int k) {
  task(int) t = spawn f(1), s = spawn f(2), *p = k ? &t : &s;
  *p = spawn g(7);
  await t;                                        // error: 31:3: `struct e1` may be thrown here
  await s;                                        // error: 32:3: `struct e1` may be thrown here
}

static async void fill(task(int) throws(struct e1) *out) { *out = spawn g(1); }
static async void filled(void) {
  task(int) t;
  fill(&t);
  await t;                                        // error: 39:3: `struct e1` may be thrown here
}

static async void out(task(int) *to) { *to = spawn g(1); } // error: 42:46: this may throw `struct e1`
struct holder { task(int) t; };
static async void member(struct holder *h) { h->t = spawn g(1); } // error: 44:53: this may throw `struct e1`
static async void list(void) {
  struct holder h = {spawn g(1)};                 // error: 46:22: this may throw `struct e1`
  await h.t;
}

static async void value(void) {
  task(int) t = ({ f(1); spawn g(2); });
  await t;                                        // error: 52:3: `struct e1` may be thrown here
  task(int) s = (f(1), spawn g(2));
  await s;                                        // error: 54:3: `struct e1` may be thrown here
}

static void throwing(int *x) throws(struct e1) { throw (struct e1){*x}; }
static async void slow(int *x) throws(struct e1) { throw (struct e1){*x}; }
static async void cleans(void) {
  int y __attribute__((cleanup(throwing))) = 1;   // error: 60:7: `struct e1` may be thrown here
  int z __attribute__((cleanup(slow))) = 1;       // error: 61:7: `struct e1` may be thrown here
}
static void plain(void) {
  int y __attribute__((cleanup(throwing))) = 1;   // error: 64:7: `struct e1` may be thrown here
}
static void wrong(void) throws(struct e1) {
  int y __attribute__((cleanup(slow))) = 1;       // error: 67:32: `slow` is async: it can clean up only in an async function
}
