int f(int x) {
  return x +;                  // error: 2:13: expected a name or a value, found `;`
}
int g(int y) {
  if (y return 1;              // error: 5:9: expected `)` after the condition, found `return`
  return 0;
}
int good(int x) { return x; }
int h(int z) {
  z = missing;                 // error: 10:7: `missing` is not declared
  return z.a;                  // error: 11:11: a value of type `int` has no members
}
// One mistake in a function does not hide those in the next ones.
