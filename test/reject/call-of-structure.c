struct s { int a; } s;
int f(void) {
  return s() + "text"(1) + 3(4); // error: 3:11: a value of type `struct s` is not a function: it cannot be called
}
// error: 3:22: a value of type `char[5]` is not a function: it cannot be called
// error: 3:29: a value of type `int` is not a function: it cannot be called
