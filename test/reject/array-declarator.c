int f(int a[static], int n) {
  int b[n + ];                 // error: 2:13: expected a name or a value, found `]`
  int c[2](void;
  return 0;
}
