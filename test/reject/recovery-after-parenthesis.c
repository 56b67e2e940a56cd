int f(int a, (int b) { return a; } // error: 1:6: this `(` is never closed
int g(void) { return missing_g; } // error: 2:22: `missing_g` is not declared
int h(int x) { return (x; }    // error: 3:25: expected `)` to close this parenthesis, found `;`
int i(void) { return missing_i; } // error: 4:22: `missing_i` is not declared
// A missing parenthesis costs no more than its own function.
