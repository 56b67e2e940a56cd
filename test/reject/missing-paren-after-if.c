int f(int x) {
  if x > 1) return 1;          // error: 2:6: expected `(` after `if`, found `x`
  return 0;
}
