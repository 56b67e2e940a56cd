int f(int a int b) {           // error: 1:13: expected `)` after the parameters, found `int`
  return a;
}
