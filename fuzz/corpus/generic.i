#pragma GCC diagnostic push
int f(float x) { return _Generic(x, int: 1, float: 2, const char *: 3, default: 4) + _Generic((x), default: _Generic(1, int: 5)); }
_Static_assert(sizeof(int) == 4, "four"); _Static_assert(1);
_Noreturn void g(void); _Alignas(16) int a; _Alignas(double) char c; _Thread_local int t; extern __thread int u;
_Atomic int at; _Atomic(int *) ap; inline int h(int p[static 3], int q[const], int r[*]); 
