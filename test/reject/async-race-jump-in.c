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
// error: 7:10: this jumps to `in` past what has to be done first there (a `defer`, a variable that is cleaned up, or the beginning of a `try`, `scope`, `shield` or `atomic`)
// note: 10:5: the label stands here
