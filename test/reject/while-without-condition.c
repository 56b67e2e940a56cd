void f(void) {
  while () {}                  // error: 2:10: expected a name or a value, found `)`
}
