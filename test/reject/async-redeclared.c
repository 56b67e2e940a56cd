// A function is async in all its declarations, or in none.
#include <fermata.h>

async int f(int x);
int f(int x) { return x; }

int g(int x);
async int g(int x) { yield; return x; }
// error: 5:5: `f`
// note: 4:11: `f`
// error: 8:11: `g`
// note: 7:5: `g`
