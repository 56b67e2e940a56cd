int f(void) {
  return 1                     // error: 2:11: expected `;` after `return`, found `}`
}
