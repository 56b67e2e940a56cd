int f(int x) {
  do x--;                      // error: 2:10: expected `while` after the body of `do`, found `return`
  return x;
}
