int f(void) {
  int a, , b;                  // error: 2:10: expected a name to be declared, found `,`
  return 0;
}
int g(void) {
  int a = , b;                 // error: 6:11: expected a name or a value, found `,`
  return 0;
}
