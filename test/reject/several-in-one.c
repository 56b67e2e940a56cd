struct s { int a; };
int f(struct s *p) {
  int x = p->b + first;        // error: 3:14: `struct s` has no member named `b`
  x += p.a;                    // error: 4:9: a value of type `struct s *` has no members; use `->` with a pointer
  return second(x) + *x;       // error: 5:22: a value of type `int` is not a pointer: it cannot be dereferenced
}
// error: 3:18: `first` is not declared
