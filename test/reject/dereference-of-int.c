int f(int i) {
  return *i;                   // error: 2:10: a value of type `int` is not a pointer: it cannot be dereferenced
}
