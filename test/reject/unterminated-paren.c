int f(void) {
  return (1 + (2 * 3);         // error: 2:22: expected `)` to close this parenthesis, found `;`
}
