static inline __attribute__((always_inline)) int sq(int x) { return x * x; }
extern inline __attribute__((gnu_inline)) int ext(int x) { return sq(x); }
int (*pick(int n))(int) { return n ? sq : &ext; }
int apply(int f(int), int n) { return f(n) + (*f)(n) + (**f)(n) + pick(n)(n); }
void none(void) { return; } void *self(void) { return (void *)self; } const char *name(void) { return __func__; }
