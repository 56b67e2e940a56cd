int f(int x) {
  return x @ 2;                // error: 2:12: stray `@` in the program
}
