int f(int x) {
  return x;
}
}                              // error: 4:1: a declaration is expected here
int g(void) { return 1; }
