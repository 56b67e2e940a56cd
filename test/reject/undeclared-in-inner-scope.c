int f(int n) {
  for (int i = 0; i < n; i++) {
    int inner = i;
    n += inner;
  }
  return i + inner;            // error: 6:10: `i` is not declared
}
// error: 6:14: `inner` is not declared
