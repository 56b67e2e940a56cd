// In a body that uses the dialect, calling an undeclared function is an error.
#include <fermata.h>

async int f(int x);

async int a(void) { return unknown(1) + f(2); }
int b(void) { return run f(1) + also_unknown(); }
// error: 6:28: `unknown`
// error: 7:33: `also_unknown`
