// `atomic` as a specifier, where no function is declared.
#include <fermata.h>
atomic int counter;
atomic int (*pointer)(int);
atomic int fine(int);
// flags: --translate=auto
// error: 3:12: `atomic` applies to functions, and this declares none; an atomic variable is `_Atomic`
// error: 4:14: `atomic` applies to functions
