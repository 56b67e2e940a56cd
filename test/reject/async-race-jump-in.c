// No jump leads into an arm of race.
#include <fermata.h>

async void g(void);

async static void f(int k) {
  if (k) goto in;
  race {
    case g():
    in:
      break;
  }
}
// error: 7:10: this jump to `in` skips the beginning of something
// note: 10:5: the label is here
