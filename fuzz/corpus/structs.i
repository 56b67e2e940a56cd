struct S { int a; unsigned b : 3, : 0, c : 5; union { int u; float v; }; struct { char x; } in; int tail[]; };
union U { int i; double d; } u1 = { .d = 1.5 };
struct S s1 = { 1, 2, .c = 3, .in.x = 'a' }, *ps = &s1;
struct Empty {}; struct Forward; struct Forward *fw;
enum E { A, B = 5, C, D = B + C, }; enum E e = C;
int f(struct S *p, union U u) { return p->a + p->u + u.i + (*p).in.x + sizeof(struct S) + _Alignof(union U); }
