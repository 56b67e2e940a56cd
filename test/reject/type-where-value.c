int f(void) {
  return int;                  // error: 2:10: expected a name or a value, found `int`
}
int g(void) {
  if (int x = 1) return x;     // error: 5:7: expected a name or a value, found `int`
}
int h(void) {
  return sizeof int;           // error: 8:17: expected a name or a value, found `int`
}
