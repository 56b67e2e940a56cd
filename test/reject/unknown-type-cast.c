int f(long x) {
  return (lenght)x;            // error: 2:11: unknown type name `lenght`
}
