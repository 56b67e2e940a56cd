int f(int i) {
  return i.x;                  // error: 2:11: a value of type `int` has no members
}
