int f(int x) {
  if (x > 1                    // error: 2:12: expected `)` after the condition, found `return`
    return 1;
  return 0;
}
