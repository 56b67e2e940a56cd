int f(int n) {
  __label__ l;
  int v[n], w[n][n + 1]; int z[0];
  int m = ({ int t = n; t * 2; });
  void *t[] = { &&l, &&k }; goto *t[n & 1];
l: k:
  v[0] = __builtin_types_compatible_p(int, typeof(n)); __auto_type q = 1.5; typeof(q) r = q;
  int nested(int a) { return a + n; }
  return nested(m) + __alignof__(v) + __builtin_choose_expr(1, 2, "x") + __extension__ 3 + (int)r + sizeof w;
}
int arr[] = { [0 ... 3] = 1, [5] = 2 };
struct O { int a, b; } o = { a: 1, b: 2 };
