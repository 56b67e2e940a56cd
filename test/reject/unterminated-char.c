int f(void) {
  return 'a;
}
// error: 2:10: this character constant has no closing quote on its line
