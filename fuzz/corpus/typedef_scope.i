typedef int T;
T f(T T) { T = 3; return T; }
int g(void) { T x; { int T = 1; x = T * 2; } { typedef char T; T y = 1; x += y; } return x + (T)1; }
struct T { T T; }; int h(struct T *p) { T: if (p->T) goto T; return 0; }
