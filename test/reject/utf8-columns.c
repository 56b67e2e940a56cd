int f(void) {
  const char *s = "größe"; return ungültig;
}
// error: 2:37: `ungültig` is not declared
// Columns count bytes, as those of gcc do by default for other tools; letters are shown as written.
