int f(int x) {
  return _Generic(x, int 1);   // error: 2:26: expected `:` in this association, found `1`
}
