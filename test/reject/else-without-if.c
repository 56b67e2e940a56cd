int f(int x) {
  x++;                         // error: 2:7: expected a name or a value, found `else`
  else x--;
  return x;
}
