int f(int x) {
  x = 1                        // error: 2:8: expected `;` after this expression, found `return`
  return x;
}
// The place is behind the last token before, not at the next line.
