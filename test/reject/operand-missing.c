int f(int x) {
  return x + ;                 // error: 2:14: expected a name or a value, found `;`
}
