void f(void) {
  goto 5;                      // error: 2:8: expected a name of a label after `goto`, found `5`
}
