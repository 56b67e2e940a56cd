int f(int g) {
  return g(1);                 // error: 2:11: a value of type `int` is not a function: it cannot be called
}
