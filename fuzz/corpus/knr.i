int f(a, b, c) int a; char *b, c; { return a + *b + c; }
f2(x) { return x; }
static g(); main() { return g(1, 2); }
static g(p, q) register int p; { return p + q; }
