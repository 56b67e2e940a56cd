// scope, shield, race and activate need an async function.
#include <fermata.h>
void a(void) { shield puts("a"); }
void b(void) { scope { puts("a"); } }
void c(void) { race { case puts("a"): ; } }
void d(void) { activate { puts("a"); } }
// error: 3:16: `shield` can be used only in an async function
// error: 4:16: `scope` can be used only in an async function
// error: 5:16: `race` can be used only in an async function
// error: 6:16: `activate` can be used only in an async function
