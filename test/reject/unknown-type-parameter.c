int f(int a, lenght b) {       // error: 1:14: unknown type name `lenght`
  return a;
}
