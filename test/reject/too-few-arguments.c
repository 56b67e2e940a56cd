int add(int a, int b);         // note: 1:5: `add` is declared here
int f(void) {
  return add(1);               // error: 3:15: too few arguments to `add`: it takes `int(int, int)`
}
