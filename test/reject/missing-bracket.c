int f(int *x) {
  return x[1;                  // error: 2:13: expected `]` after the subscript, found `;`
}
