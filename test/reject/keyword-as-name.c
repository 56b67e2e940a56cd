int f(void) {
  int while = 1;               // error: 2:7: expected a name to be declared, found `while`
  return 0;
}
struct s { int register; };
void g(int case);              // error: 6:12: expected `)` after the parameters, found `case`
