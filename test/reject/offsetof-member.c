struct s { int a; };
int f(void) {
  return __builtin_offsetof(struct s, 5); // error: 3:39: expected a name of a member, found `5`
}
