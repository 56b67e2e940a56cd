// Declarations that do not go together, and a second body.
#include <fermata.h>
async int a(int x);
static async int a(int x) { return x; }
async int b(int x) { return x; }
async int b(int x) { return x; }
int c;
async int c(int x) { return x; }
async int d(int x);
int d;
int plain(void) {
  async int e(int);
  return run e(1);
}
int nests(void) {
  async int g(int x) { return x; }
  return run g(1);
}
// error: 4:18: `a` is declared static here
// note: 3:11: `a` is declared without `static` before
// error: 6:11: `b` is defined again here
// note: 5:11: `b` is declared here
// error: 8:11: `c` is declared as a function here
// note: 7:5: `c` is declared as a variable before
// error: 10:5: `d` is declared as a variable here
// note: 9:11: `d` is declared as a function before
// error: 12:13: an async function has to be declared outside of functions
// error: 16:13: an async function has to be declared outside of functions
