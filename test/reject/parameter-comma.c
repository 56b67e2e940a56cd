int f(int a, ) {               // error: 1:14: a declaration is expected here
  return a;
}
