// race: only in async functions; each arm waits for something; nothing to assign from void; at least one arm; no default.
#include <fermata.h>

async int f(int);
async void g(void);
static int plain(int v) { return v; }

async static void arms(void) {
  int v;
  race { case v = plain(1): break; }
  race { case v = g(): break; }
  race { }
  race { case 3 = f(1): break; }
}

async static void more(void) {
  race { default: break; }
}

static void not_async(void) {
  race { case g(): break; }
}
// error: 10:19: this arm of `race` waits for nothing: it has to call an async function or `await` something
// error: 11:10: there is nothing to assign: the call returns no value
// error: 12:3: `race` needs at least one arm: `case f(x): …`
// error: 13:15: a value cannot be assigned to this
// error: 17:3: `race` needs at least one arm
// error: 21:3: `race` can be used only in an async function
