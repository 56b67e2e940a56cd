// What activate copies has to be declared.
#include <fermata.h>

async void a(int n) {
  activate (n, missing) { n++; }
}
async void e(int n) {
  activate (n + 1) { n++; }
}
// error: 5:16: `missing` is not declared
// error: 8:15: expected `)` after the variables to be copied
