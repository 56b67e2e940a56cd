void f(void) {
  for (;;) { break }           // error: 2:20: expected `;` after `break`, found `}`
}
