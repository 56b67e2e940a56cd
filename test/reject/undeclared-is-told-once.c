int f(void) {
  int x = nowhere + nowhere;   // error: 2:11: `nowhere` is not declared
  nowhere++;
  return x + nowhere;
}
int g(void) { return nowhere; } // error: 6:22: `nowhere` is not declared
// Once for each function.
