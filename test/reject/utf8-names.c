// Names that gcc's preprocessor writes otherwise are found where they stand.
int f(void) {
  int äö = 1; return äö + nö;
}
// error: 3:31: `nö` is not declared
