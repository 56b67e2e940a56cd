int a, 5;                      // error: 1:8: expected a name to be declared, found `5`
int *const, b;                 // error: 2:11: expected a name to be declared, found `,`
int (*c)(int d;                // error: 3:9: this `(` is never closed
int f(void) { return missing; }
