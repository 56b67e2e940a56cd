// What activate copies are variables, each once.
#include <fermata.h>

static void f(void) {}
enum { CONSTANT };

async void b(int n) {
  f();
  activate (f) { n++; }
}
async void c(int n) {
  activate (CONSTANT) { n++; }
}
async void d(int n) {
  activate (n, n) { n++; }
}
// error: 9:13: `f`
// error: 12:13: `CONSTANT`
// error: 15:16: `n`
