int f(int x) {
  switch (x) {
  case 1 return 2;             // error: 3:10: expected `:` after this `case`, found `return`
  }
  return 0;
}
