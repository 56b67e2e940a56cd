int f(int x) {
  return (int y)x;             // error: 2:15: a type is expected here, without a name; remove `y`
}
