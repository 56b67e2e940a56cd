// `async` before a declarator of a pointer to a function belongs to that function, also where a function returns it.
#include <fermata.h>
async int echo(int x) { yield; return x; }
async int (*pick(int x))(int) {                   // note: 4:13: `pick` is a plain function that returns a pointer to an async function; to make it async itself, give the pointer's type a name by `typedef`
  yield;                                          // error: 5:3: `yield` can be used only in an async function
  return x ? echo : 0;
}
async int (*call(int x))(int) {                   // note: 8:13: `call` is a plain function that returns a pointer
  return echo(x) ? echo : 0;                      // error: 9:10: only async code can call an async function like this
}
