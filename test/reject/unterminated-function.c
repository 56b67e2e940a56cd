int f(int x) {                 // error: 1:14: this `{` is never closed
  if (x) {
    return 1;
