#define ADD(a, b) ((a) + (b))
#define GET(p) ((p)->field)
struct s { int a; };
int f(struct s *p, int x) {
  int y = ADD(x, undeclared_name);
  return GET(p) + y;
}
// error: 5:18: `undeclared_name` is not declared
// error: 6:10: `struct s` has no member named `field`
// What a macro put there is shown at the macro's name in the user's line.
