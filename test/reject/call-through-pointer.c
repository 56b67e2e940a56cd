struct ops { int (*open)(const char *, int); };
int f(struct ops *o, int (*t[2])(void)) {
  return o->open("x") + t[0](1) + o->open("x", 1) + (*t[1])(); // error: 3:21: too few arguments to this function: it takes `int(const char *, int)`
}
// error: 3:30: too many arguments to this function: it takes `int(void)`
