_Static_assert(1, "x")         // error: 1:23: expected `;` after `_Static_assert (…)`, found `int`
int f(void) { return 0; }
_Static_assert 1;              // error: 3:16: expected `(` after `_Static_assert`, found `1`
