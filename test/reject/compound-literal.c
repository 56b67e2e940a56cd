struct p { int x; };
int f(void) {
  return ((struct p){.x = 1}).z; // error: 3:31: `struct p` has no member named `z`
}
int g(void) {                  // error: 5:13: this `{` is never closed
  return (struct p){1, 2.x;
}
