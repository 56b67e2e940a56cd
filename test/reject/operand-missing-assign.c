void f(int x) {
  x = * / 2;                   // error: 2:9: expected a name or a value, found `/`
}
