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
// error: 4:3: this `break` stands in no loop or switch
// error: 5:3: this `continue` stands in no loop
// error: 6:1: this `case` stands in no switch
// error: 7:1: this `default` stands in no switch
// error: 13:3: this `break` stands in no loop or switch
