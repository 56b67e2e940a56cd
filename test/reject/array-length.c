int f(void) {
  int a[3;                     // error: 2:8: this `[` is never closed
  return 0;
}
