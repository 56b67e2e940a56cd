#include <fermata.h>

async int f(int n) {
  int k = n;
  async void (*p)(int) = __fm_thunk (int x) { k = x; };
  async void (*q)(int) = __fm_thunk (int x);
  p(1);
  return sizeof q;
}
// error: 5:47: `k` belongs to the function around
// error: 6:44: expected `{` to open the body
