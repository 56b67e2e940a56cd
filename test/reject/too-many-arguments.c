int none(void);                // note: 1:5: `none` is declared here
int f(int (*p)(char, ...)) {
  p(1, 2, 3);
  return none(1);              // error: 4:15: too many arguments to `none`: it takes `int(void)`
}
