void f(int n) {
  for (int i = 0; i < n) n--;  // error: 2:24: expected `;` after the condition of `for`, found `)`
}
