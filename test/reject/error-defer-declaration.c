// defer needs a statement.
#include <fermata.h>
void a(void) { defer int x = 1; puts("a"); }
void b(void) { defer }
// error: 3:16: `defer` needs a statement
// error: 4:16: `defer` needs a statement
