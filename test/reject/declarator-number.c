int 5x;                        // error: 1:5: expected a name to be declared, found `5x`
int f(void) { return 0; }
