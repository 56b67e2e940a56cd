int f(void) {
  const char *s = "abc;
  return 0;
}
// error: 2:19: this string has no closing quote on its line
