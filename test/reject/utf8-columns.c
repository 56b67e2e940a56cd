int f(void) {
  const char *s = "größe"; return ungültig;
}
// error: 2:37: `ungültig` is not declared
// Columns count bytes, as clang's do; letters are shown as written.
