void f(void) {
  for (int g(void) { return 1; };;) {} // error: 2:20: a function cannot be defined here
}
