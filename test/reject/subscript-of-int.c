int f(int i, double d) {
  return i[i] + d[0];          // error: 2:11: a value of type `int` is neither an array nor a pointer: it has no elements
}
// error: 2:18: a value of type `double` is neither an array nor a pointer: it has no elements
