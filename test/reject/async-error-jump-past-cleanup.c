// In async functions no jump enters the scope of a variable with the cleanup attribute behind its declaration.
#include <fermata.h>
static void said(const int *p) { printf("%d", *p); }
async void f(int n) {
  if (n) goto in;
  { __attribute__((cleanup(said))) int a = 1; yield; in: yield; a = 5; }
}
// error: 5:10: this jump to `in` skips the beginning of something
// note: 6:54: the label is here
