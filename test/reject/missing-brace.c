int f(int x) {                 // error: 1:14: this `{` is never closed
  while (x) {
    x--;
  return x;
}

int g(void) { return 1; }
// A function that never ends; what follows at the left margin is still read.
