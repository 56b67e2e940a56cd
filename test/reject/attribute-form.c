int g(void) __attribute__ 5;   // error: 1:27: expected `((` after `__attribute__`
int h(void) __attribute__(unused; // error: 2:26: this `(` is never closed
