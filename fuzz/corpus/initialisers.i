struct In { int a, b[2]; }; struct Out { struct In in; int c; struct In arr[2]; };
struct Out o1 = { { 1, { 2, 3 } }, 4, { { 5, { 6, 7 } } } }, o2 = { 1, 2, 3, 4, 5, 6, 7 }, o3 = { .in.b[1] = 3, .arr[1].a = 4, 5 };
int m[][2] = { 1, 2, 3, 4, [5] = { 6 }, 7 }; char str[] = { "brace" }; int *pp[] = { &m[0][0], m[1] + 1, (int *)0 };
union { int i; char c[4]; } un[] = { { 1 }, { .c = "abc" }, { .c[1] = 'x' } };
