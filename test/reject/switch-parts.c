int f(int x) {
  switch x { case 1: return 1; } // error: 2:10: expected `(` after `switch`, found `x`
}
int g(int x) {
  switch (x) { case : return 1; } // error: 5:21: expected a name or a value, found `:`
}
int h(int x) {
  switch (x) { case 1 ... : return 1; } // error: 8:27: expected a name or a value, found `:`
}
int i(int x) {
  switch (x) { case 1: default: case 2 } // error: 11:40: expected `:` after this `case`, found `}`
}
