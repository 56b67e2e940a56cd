int a, *b, c[3], (*d)[4], (*e)(int, char *), *(*g[2])(void), (*(*h)(int))(double);
extern int f(int x, int), k(), m(void);
static const volatile unsigned long int *const restrict_me = 0;
long unsigned int long n;
typedef int T, *PT, AT[2], FT(T);
FT fn; PT p; AT q = { 1, 2 };
signed s; short int unsigned us; _Bool bo; char ch = 'x';
