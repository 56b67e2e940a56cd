int f(int x) {                 // error: 1:14: this `{` is never closed
  while (x) {
    x--;
  return x;
}

int g(void) { return missing; } // error: 7:22: `missing` is not declared
// A function that never ends; what follows at the left margin is still read.
