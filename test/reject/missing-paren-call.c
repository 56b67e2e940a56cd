int g(int);
int f(int x) {
  return g(x;                  // error: 3:13: expected `)` after the arguments, found `;`
}
