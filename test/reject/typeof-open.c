int f(void) {
  typeof x y;                  // error: 2:10: expected `(` after `typeof`, found `x`
  return 0;
}
