int (*f(void);                 // error: 1:5: this `(` is never closed
int g(void) { return 0; }
