int f(void) {
  int x = 1                    // error: 2:12: expected `;` after this declaration, found `x`
  x++;
  return x;
}
