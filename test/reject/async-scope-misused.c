// scope and shield stand only in async functions; a scope needs no name.
#include <fermata.h>

async void g(void);

async static void unnamed(void) {
  scope { g(); }
}

static void plain(void) {
  scope (s) { }
}

static void plain_shield(void) {
  shield { }
}
// error: 11:3: `scope` can be used only in an async function
// error: 15:3: `shield` can be used only in an async function
