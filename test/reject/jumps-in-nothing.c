// `break`, `continue`, `case` and `default` with nothing around them, in bodies of the dialect.
#include <fermata.h>
async int f(int n) {
  break;
  continue;
case 1:
default:
  yield;
  return n;
}
int g(int n) {
  defer n = 0;
  break;
  return n;
}
// error: 4:3: this `break` is outside of any loop or switch
// error: 5:3: this `continue` is outside of any loop
// error: 6:1: this `case` is outside of any `switch`
// error: 7:1: this `default` is outside of any `switch`
// error: 13:3: this `break` is outside of any loop or switch
