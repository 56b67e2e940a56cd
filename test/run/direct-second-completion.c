// A late or second completion is recognised and changes nothing.
#include <fermata.h>
static fm_completion(int) *kept;
static asyncdirect int wait(fm_completion(int) *k) { kept = k; }
static async void complete(int v) {
  yield;
  bool first = fm_complete(kept, v), second = fm_complete(kept, v + 1);
  printf("%d %d\n", first, second);               // expect: 1 0
}
async int main(void) {
  spawn complete(5);
  int v = wait();
  printf("%d %d\n", v, fm_complete(kept, 9));     // expect: 5 0
  return 0;
}
