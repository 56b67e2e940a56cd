struct s { int a; };
int f(struct s s, int *p) {
  p = p + p;                   // error: 3:9: this operator cannot take operands of types `int *` and `int *`
  return s * 2;                // error: 4:12: this operator cannot take operands of types `struct s` and `int`
}
