int f(int x) {
  switch (x) { default return 2; } // error: 2:24: expected `:` after `default`, found `return`
}
